import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../servers/loopback.js';
import { waitUntil } from './test-jobs.js';

interface Program {
  readonly path: string;
  readonly version: string;
  /** Whether this version tracks prepared statements. PgBouncer 1.21 and later versions do. */
  readonly prepares: boolean;
}

/** Debian installs PgBouncer in /usr/sbin, which is not in every PATH. `PGBOUNCER` overrides the path. */
const PATHS = process.env.PGBOUNCER ? [process.env.PGBOUNCER] : ['pgbouncer', '/usr/sbin/pgbouncer'];

export function findPgBouncer(): Program | undefined {
  for (const path of PATHS) {
    const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
    const [, version, minor] = /^PgBouncer (\d+\.(\d+)\S*)/m.exec(stdout ?? '') ?? [];
    if (version) return { path, version, prepares: Number(minor) >= 21 };
  }
  return undefined;
}

export interface PgBouncer {
  /** Returns the URL of the same database and login through PgBouncer. */
  through(databaseUrl: string): string;
  stop(): Promise<void>;
}

/** PgBouncer refuses to run as root. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** Uses the settings of docs/deployment.md. `poolSize` is per login and database. */
export async function startPgBouncer({ path, prepares }: Program, poolSize: number): Promise<PgBouncer> {
  const owner = new URL(process.env.TEST_TEMPLATE_URL as string);
  const folder = await mkdtemp(join(tmpdir(), 'taproot-pgbouncer-'));
  const port = await freePort();
  const settings = [
    '[databases]',
    `* = host=${owner.hostname} port=${owner.port}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =`,
    `auth_type = scram-sha-256\nauth_file = ${join(folder, 'users.txt')}\nauth_user = ${owner.username}`,
    'auth_query = select usename, passwd from pg_shadow where usename = $1',
    `pool_mode = transaction\ndefault_pool_size = ${poolSize}\nmax_client_conn = 500`,
    ...(prepares ? ['max_prepared_statements = 200'] : []),
  ];
  const files = { 'pgbouncer.ini': settings.join('\n'), 'users.txt': `"${owner.username}" "${owner.password}"\n` };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const account = process.getuid?.() === 0 ? NOBODY : undefined;
  if (account)
    for (const name of ['', ...Object.keys(files)]) await chown(join(folder, name), account.uid, account.gid);
  const child = spawn(path, ['-q', join(folder, 'pgbouncer.ini')], { ...account, stdio: 'ignore' });
  const through = (databaseUrl: string): string => Object.assign(new URL(databaseUrl), { port: String(port) }).href;
  // A connection to the template would prevent PostgreSQL from copying the template.
  const maintenance = through(new URL('/postgres', owner).href);
  await waitUntil(() => answers(child, maintenance));
  return {
    through,
    async stop() {
      child.kill('SIGKILL'); // The effect of other signals depends on the version of PgBouncer.
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true });
    },
  };
}

async function answers(child: ChildProcess, connectionString: string): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`);
  const client = new pg.Client({ connectionString });
  return client
    .connect()
    .then(
      () => true,
      () => false,
    )
    .finally(() => client.end());
}
