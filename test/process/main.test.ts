import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { aDatabase, ON_A_COPY, type TestDatabase } from '../support/database.js';
import { waitUntil } from '../support/jobs.js';
import { addressOf, aProcess } from '../support/process.js';

let folder: string;
let database: TestDatabase;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taproot-main-'));
  database = await aDatabase();
});

afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

describe('start', () => {
  it('brings up everything in an empty folder, lets nobody else use it, and finds it again', async () => {
    const first = aProcess({ DATA_DIR: folder });
    const url = await addressOf(first);
    const other = aProcess({ DATA_DIR: folder });
    expect(await other.ends()).toBe(1);
    expect(other.output().trim().split('\n')).toEqual([expect.stringContaining(`process ${first.child.pid}`)]);
    const { data } = await (await fetch(`${url}/api/vendors/platform-vendors?limit=1`)).json();
    process.kill(-(first.child.pid as number), 'SIGINT'); // Ctrl-C reaches the whole group
    expect(await first.ends()).toBe(0);

    const second = aProcess({ DATA_DIR: folder });
    const again = await (await fetch(`${await addressOf(second)}/api/vendors/platform-vendors?limit=1`)).json();
    expect(again.data.items[0]).toEqual(data.items[0]);
    second.child.kill('SIGTERM');
    expect(await second.ends()).toBe(0);
  });

  it('takes over what a crashed run left behind, and stops its database even where something else cannot be cleared away', async () => {
    const crashed = aProcess({ DATA_DIR: folder });
    await addressOf(crashed);
    crashed.child.kill('SIGKILL');
    await crashed.ends();
    const next = aProcess({ DATA_DIR: folder });
    expect((await fetch(`${await addressOf(next)}/readyz`)).status).toBe(200);
    await rm(join(folder, 'landing'), { recursive: true });
    await writeFile(join(folder, 'landing'), 'no folder');
    next.child.kill('SIGTERM');
    expect(await next.ends()).toBe(1);
    expect(await readdir(join(folder, 'postgres', 'data'))).not.toContain('postmaster.pid');
  });

  it.each([
    ['sealing-keys', 'must have in entry 1 a key of exactly 32 bytes in base64'],
    ['local-issuer.json', 'holds no key; delete it for a new one, which ends all tokens of the old one'],
  ])('says in one line that the file %s is broken', async (name, fault) => {
    await mkdir(join(folder, 'keys'));
    await writeFile(join(folder, 'keys', name), 'local:cut');
    const service = aProcess({ DATA_DIR: folder, DATABASE_URL: database.url, LOG_LEVEL: 'silent', ...ON_A_COPY });
    expect(await service.ends()).toBe(1);
    expect(service.output()).toBe(`${folder}/keys/${name} ${fault}\n`);
  });

  it('says in one line that the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const service = aProcess({ DATABASE_URL: database.url, PORT: String(port), LOG_LEVEL: 'silent', ...ON_A_COPY });
    expect(await service.ends()).toBe(1);
    expect(service.output()).toBe(`port ${port} on 127.0.0.1 is in use; set PORT or HOST\n`);
    other.close();
  });

  it.each([
    ['PORT', 'http', 'PORT must be a port number, 0 to 65535'],
    [
      'DATABASE_URL',
      'postgresql://a:secret@127.0.0.1:1/c',
      'DATABASE_URL: PostgreSQL at 127.0.0.1:1 cannot be reached (ECONNREFUSED)',
    ],
    ['DATA_DIR', '/dev/null/data', 'DATA_DIR: nothing can be kept in /dev/null/data (ENOTDIR)'],
    ['CATALOG_DIR', '/nowhere', 'CATALOG_DIR: /nowhere cannot be read (ENOENT)'],
  ])('says in one line what is wrong with %s=%s', async (name, value, line) => {
    const service = aProcess({ DATABASE_URL: database.url, LOG_LEVEL: 'silent', ...ON_A_COPY, [name]: value });
    expect(await service.ends()).toBe(1);
    expect(service.output()).toBe(`${line}\n`);
  });
});

describe('stop', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'answers what is under way, takes nothing new and exits with 0 on %s',
    async (signal) => {
      const service = aProcess({ DATABASE_URL: database.url, ...ON_A_COPY });
      const { hostname, port, origin } = new URL(await addressOf(service));
      const body = '{"query":"{ platformVendors { total } }"}';
      const client = connect(Number(port), hostname);
      client.write(
        `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
      );
      client.write(body.slice(0, 10));
      let reply = '';
      client.on('data', (chunk) => (reply += chunk));
      await fetch(`${origin}/healthz`); // by now the half request has arrived as well

      service.child.kill(signal);
      await waitUntil(() =>
        fetch(`${origin}/healthz`).then(
          () => false,
          () => true,
        ),
      );
      client.write(body.slice(10));
      expect(await service.ends()).toBe(0);
      expect(reply).toContain('"platformVendors":{"total":20}');
    },
  );
});

describe('two processes on one database', () => {
  it('start together, and one copy of the catalog is there', async () => {
    const empty = await aDatabase({ empty: true });
    const twins = [aProcess({ DATABASE_URL: empty.url }), aProcess({ DATABASE_URL: empty.url })];
    const totals = await Promise.all(
      twins.map(
        async (twin) => (await (await fetch(`${await addressOf(twin)}/api/vendors/platform-vendors`)).json()).data,
      ),
    );
    expect(totals[0]).toEqual(totals[1]);
    for (const twin of twins) twin.child.kill('SIGTERM');
    await Promise.all(twins.map((twin) => twin.ends()));
    await empty.drop();
  });
});
