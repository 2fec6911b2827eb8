import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { addressOf, aProcess, type TestProcess } from '../support/process.js';
import { aWire } from '../support/proxy.js';

let database: TestDatabase;
let wire: Awaited<ReturnType<typeof aWire>>;
let service: TestProcess;
let url: string;

beforeAll(async () => {
  database = await aDatabase();
  wire = await aWire(database.url);
  service = aProcess({ DATABASE_URL: wire.url });
  url = await addressOf(service);
});

afterAll(async () => {
  service.child.kill('SIGTERM');
  await service.ends();
  wire.close();
  await database.drop();
});

const get = (path: string) => fetch(url + path);

describe('a database that goes away and comes back', () => {
  it('leaves what is kept, makes the rest 503, and is found again without a restart', async () => {
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
    expect(await unknown.json()).toEqual({ error: 'UNAVAILABLE: The database cannot be reached; try again shortly.' });
    const graphql = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{ platformVendors { total } }"}',
    });
    expect((await graphql.json()).errors[0].extensions).toEqual({ code: 'UNAVAILABLE' });

    wire.mend();
    expect((await get('/readyz')).status).toBe(200);
    expect((await get('/api/vendors/platform-vendors/slack')).status).toBe(200);
  });
});
