import { describe, expect, it } from 'vitest';
import { isMergeDue } from '../../../src/tables/merge/is-merge-due.js';

const MIB = 2 ** 20;
const NOW = Date.parse('2026-01-01T00:00:00Z');
const isDue = (touchedBytes: number, newBytes: number, minutes = 0): boolean =>
  isMergeDue({ touchedBytes, newBytes, waitingSince: new Date(NOW - minutes * 60_000) }, NOW);

describe('a merge', () => {
  it('runs at once if it writes at most 64 MiB again', () => {
    expect([isDue(64 * MIB, 1), isDue(64 * MIB + 1, 1)]).toEqual([true, false]);
  });

  it('waits until it writes at most 8 times the bytes of the new rows', () => {
    expect([isDue(800 * MIB, 99 * MIB), isDue(800 * MIB, 100 * MIB)]).toEqual([false, true]);
  });

  it('waits for at most 1 GiB of new rows and 10 minutes', () => {
    expect([isDue(1e12, 1023 * MIB, 9), isDue(1e12, 1024 * MIB, 9), isDue(1e12, 1, 10)]).toEqual([false, true, true]);
  });
});
