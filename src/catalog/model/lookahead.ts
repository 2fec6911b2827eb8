import { DAY_MS } from '../../kernel/formats/time-units.js';
import type { TapSync } from './tap-sync.js';

type Settings = Pick<TapSync, 'mode' | 'incrementalParams'>;

/**
 * Returns the milliseconds between the creation of a sync and the end of its last window. Returns 0 for a tap that is
 * not incremental, and without `defaultLookaheadDays`.
 */
export function lookaheadMs({ mode, incrementalParams }: Settings): number {
  return mode === 'incremental' ? (incrementalParams?.defaultLookaheadDays ?? 0) * DAY_MS : 0;
}

/** Returns the milliseconds by which a time range may end in the future. */
export function maxLookaheadMs(sync: Settings): number {
  const { maxLookaheadDays } = sync.incrementalParams ?? {};
  return maxLookaheadDays == null || sync.mode !== 'incremental' ? lookaheadMs(sync) : maxLookaheadDays * DAY_MS;
}

/**
 * Returns whether the cursor field is a date of the record, such as the start of an appointment, and not the time of
 * its last change. Two versions of a record may then differ although their dates are equal.
 */
export function looksAhead(sync: Settings): boolean {
  return maxLookaheadMs(sync) > 0;
}
