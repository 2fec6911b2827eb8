import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Send } from '../../../src/sources/source-request.js';
import { AnyHostServer, type StubReply } from '../../support/servers/any-host-server.js';
import { readPulledTaps } from '../../support/vendors/pulled-taps.js';
import {
  type ReadOutcome,
  SimulatedTapReading,
  type StrategyKind,
  strategiesOf,
} from '../../support/vendors/simulated-tap-reading.js';

const ONE_PAGE = [0, 1];
const THREE_PAGES = [0, 1, 2, 3, 4];
const THREE_FULL_PAGES = [0, 1, 2, 3, 4, 5];
const REPEATED = [0, 1, 1, 2, 3];

interface Simulation {
  readonly send?: Send;
  readonly kind?: StrategyKind;
  readonly parent?: number;
}

let reading: SimulatedTapReading;
const server = new AnyHostServer((call) => reading.vendor.reply(call));
beforeAll(() => server.start());
afterAll(() => server.stop());

describe.each(await readPulledTaps())('%s', (_, shipped) => {
  let hasPages: boolean | undefined;

  it('returns no records of an empty list', async () => {
    simulate([]);
    const { records, error } = await reading.read();
    // If the tap reads a single record, the vendor returns 404, and the service skips the slice.
    if (error) expect(error).toMatchObject({ action: 'skip_slice', status: 404 });
    expect(records).toEqual([]);
    expect(reading.vendor.calls.length).toBeGreaterThan(0);
  });

  it('reads one page over HTTP, with keys and cursors', async () => {
    simulate(ONE_PAGE, { send: server.send });
    let { records } = expectComplete(await reading.read({ isFirst: true }));
    if (shipped.tap.sync.bootstrapTap) {
      // The first read uses a list without cursors, so this test needs a second read.
      simulate(ONE_PAGE, { send: server.send });
      ({ records } = expectComplete(await reading.read()));
    }
    for (const { key, cursor } of records) {
      expect(key).toBeTruthy();
      if (shipped.tap.sync.cursorField) expect(cursor).toBeTypeOf('number');
    }
    if (reading.parentKey) expect(requestedText()).toContain(reading.parentKey);
  });

  it.each([
    ['over HTTP, with a short last page', THREE_PAGES, server.send],
    ['with a full last page', THREE_FULL_PAGES, server.sendInProcess],
  ])('reads three pages, %s', async (_, order, send) => {
    simulate(order, { send });
    const { records } = expectComplete(await reading.read());
    if (reading.vendor.kind === 'pages') expect(reading.vendor.pages).toBeGreaterThanOrEqual(3);
    expect(new Set(records.map(({ key }) => key)).size).toBe(records.length);
  });

  it('waits after 429 with a time in seconds, and after 429 with a time as a date', async () => {
    simulate(THREE_PAGES);
    const times = ['25', new Date(Date.now() + 25_000).toUTCString()];
    const replies = times.map((time) => ({ status: 429, headers: { 'retry-after': time } }));
    reading.vendor.disturb({ afterPages: 0, replies });
    expectComplete(await reading.read());
    const [afterSeconds, afterDate] = reading.waits;
    expect(afterSeconds).toBeGreaterThanOrEqual(25_000);
    expect(afterDate).toBeGreaterThanOrEqual(15_000);
    expect(Math.max(...reading.waits.slice(0, 2))).toBeLessThanOrEqual(26_000);
  });

  it("waits after the vendor's own responses to too many requests", async () => {
    simulate(THREE_PAGES);
    // Excludes responses with a text body, which the credential test may classify differently.
    const limits = reading.scenario.limited?.filter(({ body }) => typeof body !== 'string') ?? [];
    for (const limited of limits) {
      simulate(THREE_PAGES);
      reading.vendor.disturb({ afterPages: 0, replies: [limited] });
      expectComplete(await reading.read());
      expect(reading.waits.length).toBeGreaterThanOrEqual(1);
    }
  });

  it('repeats a request after a burst of server errors', async () => {
    const afterPages = await pagesBeforeMiddle();
    simulate(THREE_PAGES);
    reading.vendor.disturb({ afterPages, replies: [503, 500, 502].map((status) => ({ status, body: 'Bad gateway' })) });
    expectComplete(await reading.read());
    expect(reading.statuses.filter((status) => Number(status) >= 500)).toEqual([503, 500, 502]);
  });

  it.each(Object.keys(strategiesOf(shipped)) as StrategyKind[])(
    'renews a session whose token expires during the run, or stops if it is permanent: %s',
    async (kind) => {
      const afterPages = await pagesBeforeMiddle();
      simulate(THREE_PAGES, { kind });
      if (afterPages === 0) await reading.read();
      reading.vendor.expireToken(afterPages);
      const outcome = await reading.read();
      expect(reading.vendor.unauthorized).toBe(1);
      if (kind === 'permanent') {
        expect(outcome.error).toMatchObject({ errorClass: 'credential', action: 'stop_run' });
        return;
      }
      expectComplete(outcome);
      expect(reading.vendor.renewals).toBe(1);
    },
  );

  it('fails with a contract error for a truncated page, without its records', async () => {
    const afterPages = await pagesBeforeMiddle();
    simulate(THREE_PAGES);
    reading.vendor.disturb({ afterPages, change: truncated });
    const { error, lines } = await reading.read();
    expect(error).toMatchObject({ errorClass: 'contract', action: 'fail_tap' });
    expect(lines).toMatchObject(reading.expected.slice(0, lines.length));
    expect(lines.length).toBeLessThanOrEqual(2 * afterPages);
  });

  it('gives a record that is on two pages the same key', async () => {
    simulate(REPEATED);
    const { records } = expectComplete(await reading.read());
    if (reading.vendor.kind === 'records') return;
    expect(records[2]?.key).toBe(records[1]?.key);
    expect(new Set(records.map(({ key }) => key)).size).toBe(4);
  });

  it('gives records of different parents different keys, if their own fields are equal', async () => {
    simulate(ONE_PAGE);
    if (!shipped.tap.responseExtraction.syntheticPrimaryKey || !reading.hasParentFields) return;
    const keysOf = async (parent: number): Promise<unknown[]> => {
      simulate(ONE_PAGE, { parent });
      return expectComplete(await reading.read()).records.map(({ key }) => key);
    };
    const [first, second] = [await keysOf(0), await keysOf(1)];
    expect(new Set([...first, ...second]).size).toBe(first.length + second.length);
  });

  it('skips the tap or the slice if the credential lacks the permission', async () => {
    simulate(THREE_PAGES);
    const { reply } = reading.scenario.forbidden;
    reading.vendor.disturb({ afterPages: 0, replies: Array.from({ length: 9 }, () => reply) });
    const { error } = await reading.read();
    const isSlice = shipped.tap.transportOptions?.[0]?.skipOnHttpStatus?.includes(reply.status);
    expect(error).toMatchObject({ errorClass: 'permission', action: isSlice ? 'skip_slice' : 'skip_tap' });
    expect(reading.waits).toEqual([]);
  });

  function simulate(order: readonly number[], { send = server.sendInProcess, ...options }: Simulation = {}): void {
    reading = new SimulatedTapReading(shipped, order, send, options);
  }

  /** Returns 1 if the vendor divides the records of the tap into pages, and otherwise 0. */
  async function pagesBeforeMiddle(): Promise<number> {
    if (hasPages === undefined) {
      simulate(ONE_PAGE);
      await reading.read();
      hasPages = reading.vendor.kind === 'pages';
    }
    return hasPages ? 1 : 0;
  }
});

/** Expects all records, and only requests that the vendor's documentation describes. */
function expectComplete(outcome: ReadOutcome): ReadOutcome {
  const { rejected, kind } = reading.vendor;
  expect(rejected).toEqual([]);
  expect(outcome.error).toBeUndefined();
  expect(outcome.lines).toMatchObject(kind === 'records' ? reading.expected.slice(0, 1) : reading.expected);
  return outcome;
}

function requestedText(): string {
  return reading.vendor.calls.map(({ url, body }) => decodeURIComponent(url.href) + body).join('\n');
}

function truncated({ body, ...reply }: StubReply): StubReply {
  if (Buffer.isBuffer(body)) return { ...reply, body: gzipSync(gunzipSync(body).subarray(0, -2)) };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { ...reply, body: text.slice(0, -2), headers: { 'content-type': 'application/json', ...reply.headers } };
}
