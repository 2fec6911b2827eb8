import { expect, it } from 'vitest';
import { TapBacklog } from '../../../src/ingest/tap-backlog.js';

const MIB = 1024 * 1024;

function aBacklog(waiting: number[]) {
  const reads: number[] = [];
  const backlog = new TapBacklog(async () => {
    reads.push(waiting[0] as number);
    return waiting.shift() as number;
  }, 100 * MIB);
  return { backlog, reads };
}

it('queries the backlog only after many new bytes, and rarely', async () => {
  const { backlog, reads } = aBacklog([16 * MIB, 32 * MIB]);
  for (let nth = 0; nth < 16; nth++) expect(await backlog.reserve(MIB, nth)).toBe(true);
  expect(reads).toHaveLength(0);
  for (let nth = 0; nth < 40; nth++) expect(await backlog.reserve(MIB, 100 + nth)).toBe(true);
  expect(reads).toHaveLength(1);
  await backlog.reserve(MIB, 10_000);
  expect(reads).toHaveLength(2);
});

it('rejects bytes beyond the limit and accepts them after a flush', async () => {
  const { backlog, reads } = aBacklog([90 * MIB, 10 * MIB]);
  for (let nth = 0; nth < 16; nth++) await backlog.reserve(MIB, nth);
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => backlog.reserve(MIB, 100)));
  expect(outcomes.filter(Boolean)).toHaveLength(10);
  expect(await backlog.reserve(MIB, 200)).toBe(false);
  expect(reads).toHaveLength(1);
  expect(await backlog.reserve(MIB, 5_200)).toBe(true);
});

it('queries again even if the clock moves backwards', async () => {
  const { backlog } = aBacklog([100 * MIB, 10 * MIB]);
  const now = 7_200_000;
  for (let nth = 0; nth < 17; nth++) await backlog.reserve(MIB, now);
  expect(await backlog.reserve(MIB, now)).toBe(false);
  expect(await backlog.reserve(MIB, now - 3_600_000)).toBe(true);
});
