import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { InMemorySessionStore } from '../../../src/sources/sessions/in-memory-session-store.js';
import { clockOffsetMs, observeClock } from '../../../src/syncs/reading/vendor-clock.js';
import { timeOffsetMs } from '../../../src/syncs/responses/time-offset.js';
import { SourceServer } from '../../support/servers/source-server.js';
import { aConnection } from '../../support/sources/source-connection.js';

describe('timeOffsetMs', () => {
  const now = Date.UTC(2026, 0, 1, 12);
  const offset = (headers: Record<string, string>) => timeOffsetMs(new Headers(headers), now);
  const dateOf = (ms: number) => new Date(now + ms).toUTCString();

  it('is the difference to the clock of the vendor, and includes the age of a cached response', () => {
    expect(offset({ date: dateOf(-90_000) })).toBe(-90_000);
    expect(offset({ date: dateOf(5_000) })).toBe(5_000);
    expect(offset({ date: dateOf(-60_000), age: '60' })).toBe(0);
  });

  it.each([{}, { date: 'x' }, { date: dateOf(-172_800_000) }])('is undefined for %o', (headers) => {
    expect(offset(headers as Record<string, string>)).toBeUndefined();
  });
});

describe('the clock of a vendor', () => {
  let offsetMs = 0;
  const servers: SourceServer[] = [];
  const aVendor = async () => {
    const server = await new SourceServer(() => {
      return { status: 404, headers: { date: new Date(Date.now() + offsetMs).toUTCString() } };
    }).open();
    servers.push(server);
    const connection = aConnection({ connector: { defaultBaseUrl: `${server.url}/v1` } });
    return { server, call: { connection, sessions: new InMemorySessionStore(), send: server.send } };
  };
  beforeEach(() => {
    offsetMs = 0;
  });
  afterAll(() => Promise.all(servers.map((server) => server.close())));

  it('counts as equal if the header can have the current second', async () => {
    expect(await clockOffsetMs((await aVendor()).call)).toBe(0);
  });

  it.each([-90_000, 90_000])('is measured once without credentials, and is off by %i ms', async (ms) => {
    offsetMs = ms;
    const { server, call } = await aVendor();
    const measured = await clockOffsetMs(call);
    expect(measured).toBeGreaterThan(ms - 5_000);
    expect(measured).toBeLessThanOrEqual(ms);
    expect(await clockOffsetMs(call)).toBe(measured);
    expect(server.requests.map(({ method, path, headers }) => [method, path, headers.authorization])).toEqual([
      ['HEAD', '/', undefined],
    ]);
  });

  it('counts as equal if the vendor does not respond', async () => {
    offsetMs = 90_000;
    const { server, call } = await aVendor();
    await server.close();
    expect(await clockOffsetMs(call)).toBe(0);
  });

  it('follows the latest response that took at most 5 seconds', async () => {
    const { server, call } = await aVendor();
    const observe = (ms: number, durationMs = 100) => {
      const receivedAt = Date.now();
      const headers = new Headers({ date: new Date(receivedAt + ms).toUTCString() });
      observeClock({ url: `${server.url}/items?page=2`, headers, sentAt: receivedAt - durationMs, receivedAt });
    };
    observe(-60_000);
    observe(30_000, 6_000);
    expect(await clockOffsetMs(call)).toBeLessThan(-59_000);
    observe(0);
    expect(await clockOffsetMs(call)).toBe(0);
    expect(server.requests).toEqual([]);
  });
});
