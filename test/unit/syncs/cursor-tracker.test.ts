import { describe, expect, it } from 'vitest';
import type { SavedCursor } from '../../../src/syncs/saved-cursor.js';
import { CursorTracker, recordMarkOf } from '../../../src/syncs/steps/cursor-tracker.js';

const UNTIL = 1_000;
const FUTURE = 2_000;

const trackerAfter = (before?: SavedCursor, soFar?: SavedCursor) =>
  new CursorTracker(UNTIL, before, soFar, { mark: recordMarkOf });
const aVersion = (title: string, cursor = FUTURE) => ({ record: { id: 1, title }, key: '1', cursor });

describe('a record with a future date that returns to its earlier content', () => {
  const earlier = trackerAfter();
  earlier.observe(aVersion('A'));
  const before = earlier.result();

  it('is stored again by a later run', () => {
    const later = trackerAfter(before);
    expect([aVersion('A'), aVersion('B')].map((version) => later.observe(version))).toEqual([true, false]);
    expect(trackerAfter(later.result()).observe(aVersion('A'))).toBe(false);
    expect(trackerAfter(later.result()).observe(aVersion('B'))).toBe(true);
  });

  it('is stored again in the same run and step', () => {
    const later = trackerAfter(before);
    expect([aVersion('B'), aVersion('A')].map((version) => later.observe(version))).toEqual([false, false]);
  });

  it('is stored again in a later step of the same run', () => {
    const step = trackerAfter(before);
    step.observe(aVersion('B'));
    expect(trackerAfter(before, step.result()).observe(aVersion('A'))).toBe(false);
  });

  it('is stored again after its date has passed', () => {
    const moved = new CursorTracker(UNTIL, before, before, { mark: recordMarkOf });
    moved.observe({ ...aVersion('X', UNTIL), key: '2' });
    moved.observe(aVersion('B', UNTIL - 1));
    expect(trackerAfter(moved.result()).observe(aVersion('A'))).toBe(false);
  });
});
