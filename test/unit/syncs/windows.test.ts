import { describe, expect, it } from 'vitest';
import type { IncrementalParams, TapSync } from '../../../src/catalog/model/tap-sync.js';
import { buildTapRequest } from '../../../src/syncs/requests/build-tap-request.js';
import { splitWindow } from '../../../src/syncs/requests/split-window.js';
import { recordsInWindow } from '../../../src/syncs/responses/records-in-window.js';
import { aReading } from '../../support/syncs/tap-reading.js';

const at = (text: string) => Date.parse(text);
const day = (time: number) => new Date(time).toISOString().slice(0, 10);

describe('the windows of a run', () => {
  const starts = (params: IncrementalParams, since = '2026-01-30', until = '2026-03-02') =>
    splitWindow(at(since), at(until), params).map((window) => day(window.since));

  it.each<[IncrementalParams, string[]]>([
    [{}, ['2026-01-30']],
    [{ maxWindowDays: 20 }, ['2026-01-30', '2026-02-19']],
    [{ windowUnit: 'month' }, ['2026-01-30', '2026-02-01', '2026-03-01']],
    [{ windowUnit: 'week' }, ['2026-01-30', '2026-02-02', '2026-02-09', '2026-02-16', '2026-02-23']],
  ])('of %j start at %j', (params, expected) => expect(starts(params)).toEqual(expected));

  it.each<[IncrementalParams['windowUnit'], number]>([
    ['year', 2],
    ['day', 62],
    ['hour', 62 * 24],
  ])('of one %s are %i around the turn of a year', (windowUnit, count) =>
    expect(splitWindow(at('2025-12-01'), at('2026-02-01'), { windowUnit })).toHaveLength(count),
  );

  it('cover the whole range without gaps', () => {
    const windows = splitWindow(at('2024-02-28T05:00Z'), at('2025-03-01T07:30Z'), { windowUnit: 'month' });
    expect(windows[0]?.since).toBe(at('2024-02-28T05:00Z'));
    expect(windows.at(-1)?.until).toBe(at('2025-03-01T07:30Z'));
    for (const [index, { since }] of windows.slice(1).entries()) expect(since).toBe(windows[index]?.until);
  });

  it('are a single window if the cursor is at or after the end of the run', () => {
    expect(splitWindow(5, 5, { windowUnit: 'day' })).toEqual([{ since: 5, until: 5 }]);
    expect(splitWindow(7, 5)).toEqual([{ since: 7, until: 7 }]);
  });
});

describe('the times of a window', () => {
  const sent = (params: IncrementalParams, since = '2026-01-31T10:20:30.500Z', until = '2026-02-01T10:20:30Z') =>
    buildTapRequest(
      aReading({
        incrementalParams: { sinceParam: 'from', untilParam: 'to', ...params },
        window: { since: new Date(since), until: new Date(until) },
      }),
    ).query;

  it.each<[IncrementalParams, string, string]>([
    [{ granularity: 'hour' }, '2026-01-31T10:00:00Z', '2026-02-01T11:00:00Z'],
    [{ granularity: 'day' }, '2026-01-31T00:00:00Z', '2026-02-02T00:00:00Z'],
    [{ granularity: 'week' }, '2026-01-26T00:00:00Z', '2026-02-02T00:00:00Z'],
    [{ granularity: 'month' }, '2026-01-01T00:00:00Z', '2026-03-01T00:00:00Z'],
    [{ untilIsExclusive: true }, '2026-01-31T10:20:30Z', '2026-02-01T10:20:31Z'],
    [{ sinceIsExclusive: true, granularity: 'day' }, '2026-01-30T00:00:00Z', '2026-02-02T00:00:00Z'],
    [{ untilIsExclusive: true, granularity: 'day' }, '2026-01-31T00:00:00Z', '2026-02-03T00:00:00Z'],
  ])('with %j are %s and %s', (params, from, to) => expect(sent(params)).toEqual({ from, to }));

  it('at a boundary of the granularity are not extended', () =>
    expect(sent({ granularity: 'day' }, '2026-01-31', '2026-02-01')).toEqual({
      from: '2026-01-31T00:00:00Z',
      to: '2026-02-01T00:00:00Z',
    }));
});

describe('records before the window', () => {
  const since = 1_000;
  const records = [2_000, undefined, since, 999].map((cursor) => ({ record: {}, key: undefined, cursor }));
  const read = (sync: Partial<TapSync>, window = { since: new Date(since), until: new Date(9_000) }) => {
    const found = recordsInWindow(aReading({ tap: { sync: { mode: 'incremental', ...sync } }, window }), records);
    return { ...found, records: found.records.map(({ cursor }) => cursor) };
  };
  const all = records.map(({ cursor }) => cursor);

  it('are kept by default, because the source filters them', () =>
    expect(read({})).toEqual({ records: all, isPastWindow: false }));

  it('are removed with filterByCursor, except records without a cursor', () =>
    expect(read({ filterByCursor: true })).toEqual({ records: [2_000, undefined, since], isPastWindow: false }));

  it('end the pages if the newest records come first', () => {
    expect(read({ sortOrder: 'descending' }).isPastWindow).toBe(true);
    expect(read({ sortOrder: 'descending' }, { since: new Date(999), until: new Date() }).isPastWindow).toBe(false);
    expect(read({ sortOrder: 'ascending' }).isPastWindow).toBe(false);
  });

  it('do not exist in the first read', () => {
    const first = recordsInWindow(
      aReading({ tap: { sync: { mode: 'incremental', filterByCursor: true } }, window: { until: new Date() } }),
      records,
    );
    expect(first.records).toHaveLength(4);
  });
});
