import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aDatabase, CLONED_DATABASE_ENV, type TestDatabase } from '../support/database/database.js';
import { waitUntil } from '../support/database/test-jobs.js';
import { addressOf, aProcess } from '../support/processes/test-process.js';

let database: TestDatabase;

beforeEach(async () => {
  database = await aDatabase();
});

afterEach(async () => {
  await database.drop();
});

function aClient(origin: string) {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (chunk) => (received += chunk));
  return { socket, received: () => received };
}

function refusesConnections(origin: string): Promise<boolean> {
  return fetch(`${origin}/healthz`).then(
    () => false,
    () => true,
  );
}

describe('stop', () => {
  it.each([
    ['SIGTERM', '0'],
    ['SIGINT', '300'],
  ] as const)(
    'on %s with SHUTDOWN_DELAY_SECONDS=%s completes the requests in progress and exits with 0',
    async (signal, delay) => {
      const service = aProcess({ DATABASE_URL: database.url, SHUTDOWN_DELAY_SECONDS: delay, ...CLONED_DATABASE_ENV });
      const origin = await addressOf(service);
      const body = '{"query":"{ platformVendors { total } }"}';
      const [poster, reader] = [aClient(origin), aClient(origin)];
      poster.socket.write(
        `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
      );
      poster.socket.write(body.slice(0, 10));
      reader.socket.write('GET /api/openapi.json HTTP/1.1\r\n');
      await fetch(`${origin}/healthz`); // After this response, the incomplete requests have also arrived.

      service.child.kill(signal);
      await waitUntil(() => refusesConnections(origin));
      poster.socket.write(body.slice(10));
      reader.socket.write('Host: a\r\n\r\n');
      expect(await service.ends()).toBe(0);
      expect(poster.received()).toMatch(/"platformVendors":\{"total":\d+\}/);
      expect(reader.received().includes(`{"default":"${origin}"}`)).toBe(true);
    },
  );

  it('on SIGTERM fails /readyz first and closes each connection after its response', async () => {
    const service = aProcess({ DATABASE_URL: database.url, SHUTDOWN_DELAY_SECONDS: '300', ...CLONED_DATABASE_ENV });
    const origin = await addressOf(service);
    const request = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';
    const [reused, idle] = [aClient(origin), aClient(origin)];
    for (const { socket, received } of [reused, idle]) {
      socket.write(request);
      await waitUntil(() => received().endsWith('{"status":"ok"}'));
    }
    expect(reused.received()).toContain('\r\nConnection: keep-alive\r\n');

    service.child.kill('SIGTERM');
    await waitUntil(async () => (await fetch(`${origin}/readyz`)).status === 503);
    const ready = await fetch(`${origin}/readyz`);
    expect([ready.status, ready.headers.get('connection')]).toEqual([503, 'close']);
    expect(await ready.json()).toEqual({ error: 'UNAVAILABLE: The service is stopping.' });
    const vendors = await fetch(`${origin}/api/vendors/platform-vendors?limit=1`);
    expect([vendors.status, vendors.headers.get('connection')]).toEqual([200, 'close']);
    reused.socket.write(request);
    await once(reused.socket, 'close');
    expect(reused.received()).toMatch(/Connection: close\r\n.*{"status":"ok"}$/s);
    expect(idle.socket.readyState).toBe('open');

    service.child.kill('SIGTERM');
    expect(await service.ends()).toBe(1);
  });
});
