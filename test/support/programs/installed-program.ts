import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitUntil } from '../database/test-jobs.js';
import { aProcess } from '../processes/test-process.js';
import { freePort } from '../servers/loopback.js';

interface ProgramOptions {
  /** Package and exact version, such as `name@1.2.3`. */
  readonly packageSpec: string;
  /** Path of the program below `node_modules`. */
  readonly program: string;
  readonly args: (port: number) => readonly string[];
  readonly files?: Readonly<Record<string, string>>;
}

export interface InstalledProgram {
  readonly origin: string;
  close(): Promise<void>;
}

/** Installs a package from the npm registry into a temporary folder, and starts its server. */
export async function anInstalledProgram(options: ProgramOptions): Promise<InstalledProgram> {
  const { packageSpec, program, args, files = {} } = options;
  const folder = await mkdtemp(join(tmpdir(), 'taproot-program-'));
  const all = { 'package.json': '{"private":true}', ...files };
  for (const [name, text] of Object.entries(all)) await writeFile(join(folder, name), text);
  const npm = process.env.npm_execpath ?? 'npm';
  const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', packageSpec];
  await promisify(execFile)(
    npm.endsWith('.js') ? process.execPath : npm,
    npm.endsWith('.js') ? [npm, ...install] : install,
    {
      cwd: folder,
    },
  );
  const port = await freePort();
  const started = aProcess({}, join(folder, 'node_modules', program), args(port), folder);
  const origin = `http://127.0.0.1:${port}`;
  await waitUntil(async () => (await fetch(origin).catch(() => undefined)) !== undefined);
  return {
    origin,
    async close() {
      started.child.kill('SIGKILL');
      await started.ends();
      await rm(folder, { recursive: true, maxRetries: 5 });
    },
  };
}
