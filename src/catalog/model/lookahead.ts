import { DAY_MS } from '../../kernel/formats/time-units.js';
import type { TapSync } from './tap-sync.js';

type Settings = Pick<TapSync, 'mode' | 'incrementalParams'>;

/** Time from the creation of a sync to the end of its last time window. */
export function lookaheadMs({ mode, incrementalParams }: Settings): number {
  return mode === 'incremental' ? (incrementalParams?.defaultLookaheadDays ?? 0) * DAY_MS : 0;
}

/** Maximum time from now to `until` in the `range` of a sync. */
export function maxLookaheadMs(sync: Settings): number {
  const { maxLookaheadDays } = sync.incrementalParams ?? {};
  return maxLookaheadDays == null || sync.mode !== 'incremental' ? lookaheadMs(sync) : maxLookaheadDays * DAY_MS;
}

/** Returns whether the cursor field can contain a date in the future, such as the start of an appointment. */
export function looksAhead(sync: Settings): boolean {
  return maxLookaheadMs(sync) > 0;
}
