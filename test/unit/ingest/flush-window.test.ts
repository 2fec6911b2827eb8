import { expect, it } from 'vitest';
import { FlushWindow } from '../../../src/ingest/flush-window.js';

it('flushes within the window even if the clock moves back by an hour', () => {
  const round = new FlushWindow(10);
  const before = round.add(1, 7_200_000);
  const after = round.add(1, 3_600_000);
  expect([before.startAfter, after.startAfter]).toEqual([new Date(7_210_000), new Date(3_610_000)]);
  expect(after.key).not.toBe(before.key);
  expect(round.add(1, 3_605_000).key).toBe(after.key);
});
