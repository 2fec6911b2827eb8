import type { IncrementalParams } from '../../catalog/model/tap-sync.js';
import { DAY_MS, startOfNextUnit } from '../../kernel/formats/time-units.js';

/** Times are in milliseconds since 1970. */
export function splitWindow(
  since: number,
  until: number,
  { windowUnit, maxWindowDays }: Pick<IncrementalParams, 'windowUnit' | 'maxWindowDays'> = {},
): { since: number; until: number }[] {
  const endOf = (from: number): number =>
    windowUnit ? startOfNextUnit(from, windowUnit) : from + (maxWindowDays ?? Number.POSITIVE_INFINITY) * DAY_MS;
  const windows: { since: number; until: number }[] = [];
  let from = since;
  do {
    const to = Math.max(Math.min(endOf(from), until), from);
    windows.push({ since: from, until: to });
    from = to;
  } while (from < until);
  return windows;
}
