import type { Answer } from './row-aggregates.js';
import type { RunSight } from './run-sight.js';

/** Seconds since the newest record, by the column of the contract that says how old one is, else since it came in. Throws `CheckFault`. */
export function ageOfNewest({ expected, rows, columns, aggregates, now }: RunSight): Answer {
  const newest = newestOf();
  return () => {
    const seconds = newest();
    return seconds === undefined ? undefined : Math.max(0, now.getTime() / 1000 - seconds);
  };

  function newestOf(): Answer {
    if (expected.timestampColumn) return aggregates.highest(columns.require(expected.timestampColumn, ['time']));
    const { lastReceivedAt } = rows;
    return () => (lastReceivedAt ? lastReceivedAt.getTime() / 1000 : undefined);
  }
}
