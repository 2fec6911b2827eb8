import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aDatabase, CLONED_DATABASE_ENV } from '../database/database.js';
import { clientFor } from '../service/callers.js';
import type { Client } from '../service/service.js';
import { addressOf, aProcess, type TestProcess } from './test-process.js';

export interface KillableService {
  readonly service: { url: string; databaseUrl: string; readonly dataDir: string };
  readonly owner: Client;
  /** `env` adds settings for this start. */
  start(env?: Record<string, string>): Promise<void>;
  kill(): Promise<void>;
  close(): Promise<void>;
}

interface Options {
  readonly env?: Record<string, string>;
  /**
   * Whether the service uses its embedded PostgreSQL with production settings, so that committed data survives a
   * kill.
   */
  readonly isEmbedded?: boolean;
}

/** Does not start the service. */
export async function aKillableService({ env, isEmbedded = false }: Options = {}): Promise<KillableService> {
  const database = isEmbedded ? undefined : await aDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'taproot-killed-'));
  const service = { url: '', databaseUrl: database?.url ?? '', dataDir };
  const settings = {
    ...{ DATA_DIR: dataDir, RATE_LIMITS: 'off', INITIAL_SYNC: 'off', LOG_LEVEL: 'silent', ...env },
    ...(database && { DATABASE_URL: database.url, ...CLONED_DATABASE_ENV }),
  };
  let running: TestProcess | undefined;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    running?.child.kill(signal);
    await running?.ends();
  };
  return {
    ...{ service, owner: clientFor(service, 'owner@demo.test') },
    async start(more) {
      running = aProcess({ ...settings, ...more });
      service.url = await addressOf(running);
      if (isEmbedded) service.databaseUrl = await embeddedUrl(dataDir);
    },
    kill: () => end('SIGKILL'),
    async close() {
      await end('SIGTERM'); // SIGTERM also stops an embedded PostgreSQL.
      await database?.drop();
      await rm(dataDir, { recursive: true, maxRetries: 10 });
    },
  };
}

async function embeddedUrl(dataDir: string): Promise<string> {
  const { port } = await postmasterOf(dataDir);
  const password = (await readFile(join(dataDir, 'postgres', 'password'), 'utf8')).trim();
  return `postgres://taproot:${password}@127.0.0.1:${port}/taproot`;
}

export async function postmasterOf(dataDir: string): Promise<{ pid: number; port: number }> {
  const text = await readFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8');
  const [pid, , , port] = text.split('\n').map(Number) as [number, number, number, number];
  return { pid, port };
}
