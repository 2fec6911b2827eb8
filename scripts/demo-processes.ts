import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeVendor } from '../examples/fake-vendor/fake-vendor.js';
import { writeCatalog } from '../examples/fake-vendor/write-catalog.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/database/embedded-postgres.js';
import { issueLocalToken } from '../src/tenancy/authentication/local-issuer.js';
import { DEMO_WORKSPACE, demoEmail } from '../src/tenancy/workspaces/seed-demo.js';
import { DemoClient } from './demo-client.js';

const SERVICE = join(import.meta.dirname, '../src/main.js');

export interface ServiceProcess {
  readonly url: string;
  readonly pid: number;
  kill(): Promise<void>;
}

/**
 * PostgreSQL, the fake vendor and processes of the service in a temporary folder. `close` ends the processes and
 * deletes the folder.
 */
export class DemoProcesses {
  readonly #children: ChildProcess[] = [];

  private constructor(
    private readonly folder: string,
    private readonly postgres: EmbeddedPostgres,
    readonly vendor: FakeVendor,
    readonly orders: number,
  ) {}

  static async start(orders: number): Promise<DemoProcesses> {
    const folder = await mkdtemp(join(tmpdir(), 'taproot-demo-'));
    const vendor = await FakeVendor.start({ orders });
    await writeCatalog(folder, vendor.origin);
    const postgres = await startEmbeddedPostgres({ folder: join(folder, 'postgres') });
    return new DemoProcesses(folder, postgres, vendor, orders);
  }

  /** `pull` starts a worker that only reads from vendors. */
  async startService(jobs: 'rest' | 'pull' | 'all'): Promise<ServiceProcess> {
    const env = {
      ...{ PATH: process.env.PATH, JOBS: jobs, PORT: '0', LOG_LEVEL: 'silent', SHUTDOWN_DELAY_SECONDS: '0' },
      ...{ DATABASE_URL: this.postgres.url, DATA_DIR: this.folder, INGEST_FLUSH_SECONDS: '1' },
      ...{ CATALOG_DIR: this.folder, EGRESS_ALLOW: '127.0.0.1/32' },
    };
    const child = spawn(process.execPath, [SERVICE], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    this.#children.push(child);
    const kill = async (): Promise<void> => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    };
    return { url: await addressOf(child), pid: child.pid as number, kill };
  }

  async ownerOf({ url }: ServiceProcess): Promise<DemoClient> {
    const token = await issueLocalToken(this.folder, demoEmail('owner'));
    return new DemoClient(url, { Authorization: `Bearer ${token}`, 'X-Tenant': DEMO_WORKSPACE });
  }

  async close(): Promise<void> {
    const running = this.#children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    const ended = running.map((child) => once(child, 'exit'));
    for (const child of running) child.kill('SIGTERM');
    await Promise.all(ended);
    await this.vendor.stop();
    await this.postgres.stop();
    await rm(this.folder, { recursive: true, maxRetries: 5 });
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  let output = '';
  for await (const chunk of child.stdout as NodeJS.ReadableStream) {
    output += chunk;
    const [, url] = /REST +(http:\/\/[^/]+)/.exec(output) ?? [];
    if (url) {
      child.stdout?.resume();
      return url;
    }
  }
  throw new Error(`The service ended: ${output}`);
}
