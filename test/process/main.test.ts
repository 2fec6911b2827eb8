import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { issueLocalToken } from '../../src/tenancy/authentication/local-issuer.js';
import { aDatabase, CLONED_DATABASE_ENV, type TestDatabase } from '../support/database/database.js';
import { waitUntil } from '../support/database/test-jobs.js';
import { addressOf, aProcess, SHIPPED_SERVICE } from '../support/processes/test-process.js';

/** Empty at the start of each test. */
let folder: string;
/** Contains an embedded database. Several tests share it, because its creation takes seconds. */
let installation: string;
let database: TestDatabase;

beforeAll(async () => {
  database = await aDatabase();
  installation = await mkdtemp(join(tmpdir(), 'taproot-main-'));
});

afterAll(async () => {
  await database.drop();
  await rm(installation, { recursive: true, force: true });
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taproot-main-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

describe('start', () => {
  it('starts everything in an empty folder, locks the folder, and starts again with its data', async () => {
    const first = aProcess({ DATA_DIR: installation }, SHIPPED_SERVICE);
    const url = await addressOf(first);
    const other = aProcess({ DATA_DIR: installation }, SHIPPED_SERVICE);
    expect(await other.ends()).toBe(1);
    expect(other.output().trim().split('\n')).toEqual([expect.stringContaining(`process ${first.child.pid}`)]);
    const { data } = await (await fetch(`${url}/api/vendors/platform-vendors?limit=1`)).json();
    process.kill(-(first.child.pid as number), 'SIGINT'); // Signals the whole process group, like Ctrl-C.
    expect(await first.ends()).toBe(0);

    const second = aProcess({ DATA_DIR: installation }, SHIPPED_SERVICE);
    const again = await (await fetch(`${await addressOf(second)}/api/vendors/platform-vendors?limit=1`)).json();
    expect(again.data.items[0]).toEqual(data.items[0]);
    second.child.kill('SIGTERM');
    expect(await second.ends()).toBe(0);
  });

  it('shares its embedded database with npm run workspace: a new workspace works without a restart', async () => {
    const service = aProcess({ DATA_DIR: installation, ...CLONED_DATABASE_ENV });
    const url = await addressOf(service);
    const person = 'ada@acme.test';
    const me = async (): Promise<Response> => {
      const authorization = `Bearer ${await issueLocalToken(installation, person)}`;
      return fetch(`${url}/api/users/me`, { headers: { authorization, 'x-tenant': 'acme' } });
    };
    expect((await me()).status).toBe(403);
    const program = aProcess({ DATA_DIR: installation, ...CLONED_DATABASE_ENV }, 'scripts/create-workspace.js', [
      '--slug',
      'acme',
      '--owner',
      person,
    ]);
    expect([await program.ends(), program.output()]).toEqual([0, expect.stringContaining('owns the workspace acme')]);
    // For 2 seconds, the service remembers that the workspace is missing.
    await waitUntil(async () => (await me()).status === 200);
    service.child.kill('SIGTERM');
    expect(await service.ends()).toBe(0);

    const alone = aProcess({ DATA_DIR: installation, ...CLONED_DATABASE_ENV }, 'scripts/create-workspace.js', [
      '--slug',
      'other',
      '--owner',
      person,
    ]);
    expect(await alone.ends()).toBe(0);
    expect(await readdir(join(installation, 'postgres', 'data'))).not.toContain('postmaster.pid');
  });

  it('cleans up after a crashed run, and stops its database even if another cleanup fails', async () => {
    const crashed = aProcess({ DATA_DIR: installation, ...CLONED_DATABASE_ENV });
    await addressOf(crashed);
    crashed.child.kill('SIGKILL');
    await crashed.ends();
    const next = aProcess({ DATA_DIR: installation, ...CLONED_DATABASE_ENV });
    expect((await fetch(`${await addressOf(next)}/readyz`)).status).toBe(200);
    await rm(join(installation, 'landing'), { recursive: true });
    await writeFile(join(installation, 'landing'), 'no folder');
    next.child.kill('SIGTERM');
    expect(await next.ends()).toBe(1);
    expect(await readdir(join(installation, 'postgres', 'data'))).not.toContain('postmaster.pid');
  });

  it('reports in one line that a key file is broken', async () => {
    await mkdir(join(folder, 'keys'));
    await writeFile(join(folder, 'keys', 'sealing-keys'), 'local:cut');
    const service = aProcess({
      DATA_DIR: folder,
      DATABASE_URL: database.url,
      LOG_LEVEL: 'silent',
      ...CLONED_DATABASE_ENV,
    });
    expect(await service.ends()).toBe(1);
    expect(service.output()).toBe(
      `${folder}/keys/sealing-keys requires, in entry 1, a key of exactly 32 bytes in base64\n`,
    );
  });

  it('reports in one line that the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const service = aProcess({
      DATABASE_URL: database.url,
      PORT: String(port),
      LOG_LEVEL: 'silent',
      ...CLONED_DATABASE_ENV,
    });
    expect(await service.ends()).toBe(1);
    expect(service.output()).toBe(`port ${port} on 127.0.0.1 is in use. Set PORT or HOST\n`);
    other.close();
  });

  it.each([
    ['PORT', 'http', 'PORT must be a port number, 0 to 65535'],
    [
      'DATABASE_URL',
      'postgresql://a:secret@127.0.0.1:1/c',
      'DATABASE_URL: PostgreSQL at 127.0.0.1:1 cannot be reached (ECONNREFUSED)',
    ],
  ])('reports in one line what is wrong with %s=%s', async (name, value, line) => {
    const service = aProcess({
      DATABASE_URL: database.url,
      LOG_LEVEL: 'silent',
      ...CLONED_DATABASE_ENV,
      [name]: value,
    });
    expect(await service.ends()).toBe(1);
    expect(service.output()).toBe(`${line}\n`);
  });
});

describe('two processes on one database', () => {
  it('start concurrently and store one copy of the catalog', async () => {
    const empty = await aDatabase({ empty: true });
    const services = [aProcess({ DATABASE_URL: empty.url }), aProcess({ DATABASE_URL: empty.url })];
    const totals = await Promise.all(
      services.map(
        async (service) =>
          (await (await fetch(`${await addressOf(service)}/api/vendors/platform-vendors`)).json()).data,
      ),
    );
    expect(totals[0]).toEqual(totals[1]);
    for (const service of services) service.child.kill('SIGTERM');
    await Promise.all(services.map((service) => service.ends()));
    await empty.drop();
  });
});
