import { DAY_MS } from '../../kernel/formats/time-units.js';
import type { TapSync } from './tap-sync.js';

type Settings = Pick<TapSync, 'mode' | 'incrementalParams'>;

/** Milliseconds between the creation of a sync and the end of its last window. 0 without `defaultLookaheadDays`. */
export function lookaheadMs({ mode, incrementalParams }: Settings): number {
  return mode === 'incremental' ? (incrementalParams?.defaultLookaheadDays ?? 0) * DAY_MS : 0;
}

/** Milliseconds by which a time range may end in the future. */
export function maxLookaheadMs(sync: Settings): number {
  const { maxLookaheadDays } = sync.incrementalParams ?? {};
  return maxLookaheadDays == null || sync.mode !== 'incremental' ? lookaheadMs(sync) : maxLookaheadDays * DAY_MS;
}

/**
 * Whether the cursor field is a date of the record, such as the start of an appointment, and not the time of its last
 * change. Then equal cursors do not mean equal records.
 */
export function looksAhead(sync: Settings): boolean {
  return maxLookaheadMs(sync) > 0;
}
