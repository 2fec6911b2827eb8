import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueLocalToken } from '../../src/tenancy/authentication/local-issuer.js';
import { demoEmail } from '../../src/tenancy/workspaces/seed-demo.js';
import { aDatabase, CLONED_DATABASE_ENV, type TestDatabase } from '../support/database/database.js';
import { aSeverableProxy } from '../support/database/severable-proxy.js';
import { addressOf, aProcess, type TestProcess } from '../support/processes/test-process.js';

let database: TestDatabase;
let wire: Awaited<ReturnType<typeof aSeverableProxy>>;
let service: TestProcess;
let url: string;
let dataDir: string;

beforeAll(async () => {
  database = await aDatabase();
  wire = await aSeverableProxy(database.url);
  dataDir = await mkdtemp(join(tmpdir(), 'taproot-away-'));
  service = aProcess({ DATABASE_URL: wire.url, DATA_DIR: dataDir, ...CLONED_DATABASE_ENV });
  url = await addressOf(service);
});

afterAll(async () => {
  service.child.kill('SIGTERM');
  await service.ends();
  wire.close();
  await database.drop();
  await rm(dataDir, { recursive: true });
});

const get = (path: string) => fetch(url + path);

async function own(path: string, init: RequestInit = {}): Promise<Response> {
  const token = await issueLocalToken(dataDir, demoEmail('owner'));
  const headers = { authorization: `Bearer ${token}`, 'x-tenant': 'demo', 'content-type': 'application/json' };
  return fetch(url + path, { ...init, headers });
}

const requestConnector = (connectorName = 'Acme') =>
  own('/api/connector-requests/connector-requests', { method: 'POST', body: JSON.stringify({ connectorName }) });

describe('a database that becomes unreachable and returns', () => {
  it('leaves cached responses available, causes 503 for the rest, and is used again without a restart', async () => {
    const kept = '/api/vendors/platform-vendors/github';
    expect((await get(kept)).status).toBe(200);

    wire.cut();
    const [healthy, ready, known, unknown] = await Promise.all([
      get('/healthz'),
      get('/readyz'),
      get(kept),
      get('/api/vendors/platform-vendors/slack'),
    ]);
    expect([healthy.status, ready.status, known.status, unknown.status]).toEqual([200, 503, 200, 503]);
    expect(unknown.headers.get('retry-after')).toBe('5');
    const again = await get('/readyz');
    expect([again.status, again.headers.get('retry-after'), again.headers.get('cache-control')]).toEqual([
      ...[503, '5', 'no-store'],
    ]);
    expect(await again.json()).toEqual({
      error: 'UNAVAILABLE: The database is unavailable. Try again shortly.',
    });
    const last = await get('/api/vendors/platform-vendors/slack');
    const isLogged = ({ headers }: Response) => service.output().includes(String(headers.get('x-request-id')));
    await waitUntil(async () => isLogged(last));
    expect([ready, again].map(isLogged)).toEqual([true, false]);
    expect(await unknown.json()).toEqual({
      error: 'UNAVAILABLE: The database is unavailable. Try again shortly.',
    });
    const graphql = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{ platformVendors { total } }"}',
    });
    expect((await graphql.json()).errors[0].extensions).toEqual({ code: 'UNAVAILABLE', retryAfter: 5 });
    const [reading, writing] = await Promise.all([own('/api/users/me'), requestConnector()]);
    expect([reading.status, writing.status]).toEqual([503, 503]);

    wire.mend();
    expect((await get('/readyz')).status).toBe(200);
    expect((await get('/api/vendors/platform-vendors/slack')).status).toBe(200);
    expect([(await own('/api/users/me')).status, (await requestConnector()).status]).toEqual([200, 200]);
  });

  it('leaks no connection: after more lost writes than the pool has connections, further writes succeed', async () => {
    const blocker = new pg.Client({ connectionString: database.url });
    await blocker.connect();
    await blocker.query('begin; lock table audit_entry in exclusive mode');
    const writes = Array.from({ length: 15 }, (_, at) => requestConnector(`Number ${at}`));
    await waitUntil(async () => Number((await blocker.query(WAITING)).rows[0].count) >= 10);
    wire.cut();
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(Array(15).fill(503));
    await blocker.end();
    wire.mend();
    const again = await Promise.all(Array.from({ length: 15 }, (_, at) => requestConnector(`Number ${at}`)));
    expect(again.map(({ status }) => status)).toEqual(Array(15).fill(200));
  });
});

describe('a database that is read-only, like a standby before its promotion', () => {
  const mint = `mutation { createApiKey(input: { name: "a program", permissions: ["*"] }) { key } }`;
  const name = () => new URL(database.url).pathname.slice(1);

  /** The setting applies only to new connections, so the function closes all connections. */
  async function setReadOnly(value: 'on' | 'off'): Promise<void> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(
      `begin read write; alter database ${name()} set default_transaction_read_only = ${value}; commit`,
    );
    await client.end();
    wire.cut();
    wire.mend();
    // Waits until the service has dropped its lost connections.
    await waitUntil(async () => !(await (await get('/readyz')).text()).includes('reached'));
  }

  it('fails /readyz and writes with 503; reads succeed, even with an API key that was never used before', async () => {
    const minted = await own('/graphql', { method: 'POST', body: JSON.stringify({ query: mint }) });
    const { key } = (await minted.json()).data.createApiKey;
    await setReadOnly('on');
    const ready = await get('/readyz');
    const fault = { error: 'UNAVAILABLE: The database is read-only at the moment. Try again shortly.' };
    expect([ready.status, ready.headers.get('retry-after'), await ready.json()]).toEqual([503, '5', fault]);
    const written = await requestConnector('Read-only');
    expect([written.status, written.headers.get('retry-after'), await written.json()]).toEqual([503, '5', fault]);
    expect((await own('/api/users/me')).status).toBe(200);
    const connectors = '/api/connectors?limit=1';
    const read = await fetch(url + connectors, { headers: { authorization: `Bearer ${key}` } });
    expect(read.status).toBe(200);

    await setReadOnly('off');
    expect([(await get('/readyz')).status, (await requestConnector('Promoted')).status]).toEqual([200, 200]);
  });
});

const WAITING = 'select count(*) from pg_locks where not granted';

async function waitUntil(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
