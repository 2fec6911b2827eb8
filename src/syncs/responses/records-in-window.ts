import type { TapReading } from '../tap-reading.js';
import type { CompletedRecord } from './complete-record.js';

interface RecordsInWindow {
  readonly records: readonly CompletedRecord[];
  /** Whether all further pages contain only records before the window. */
  readonly isPastWindow: boolean;
}

/**
 * Keeps records without a readable cursor. If the records are in descending order and one record is older than the
 * window, all following records are older than the window, too.
 */
export function recordsInWindow({ tap, window }: TapReading, records: readonly CompletedRecord[]): RecordsInWindow {
  const since = window?.since?.getTime();
  if (since === undefined) return { records, isPastWindow: false };
  const isBefore = ({ cursor }: CompletedRecord) => cursor !== undefined && cursor < since;
  const { filterByCursor, sortOrder } = tap.sync;
  return {
    records: filterByCursor ? records.filter((record) => !isBefore(record)) : records,
    isPastWindow: sortOrder === 'descending' && records.some(isBefore),
  };
}
