import type { CheckContext } from './check-context.js';
import type { DeferredNumber } from './row-aggregates.js';

/**
 * In seconds. Uses the times in `timestampColumn` or, if the contract has no such column, the times of receipt. Returns
 * 0 for a time in the future. Throws `CheckError`.
 */
export function newestRecordAge({ expected, rows, columns, aggregates, now }: CheckContext): DeferredNumber {
  const newest = newestOf();
  return () => {
    const seconds = newest();
    return seconds === undefined ? undefined : Math.max(0, now.getTime() / 1000 - seconds);
  };

  function newestOf(): DeferredNumber {
    if (expected.timestampColumn) return aggregates.maxValue(columns.require(expected.timestampColumn, ['time']));
    const { lastReceivedAt } = rows;
    return () => (lastReceivedAt ? lastReceivedAt.getTime() / 1000 : undefined);
  }
}
