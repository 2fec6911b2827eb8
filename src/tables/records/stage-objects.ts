import { randomUUID } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { StagingArea } from '../staging/staging-area.js';
import type { ObjectConverter, ParsedRecord } from './convert-object.js';

/** Yields to the event loop after this many records. */
const YIELD_EVERY_RECORDS = 100;

interface ParsedBatch {
  readonly records: readonly ParsedRecord[];
  readonly receivedAt: Date;
}

/** Like `stageRecords`, for parsed records. `converter` must have the schema of `staged`. */
export async function stageObjects(
  { records, receivedAt }: ParsedBatch,
  staged: StagingArea,
  converter: ObjectConverter,
): Promise<void> {
  const origin = { batch: randomUUID(), receivedAt: receivedAt.toISOString() };
  for (let from = 0; from < records.length; from += YIELD_EVERY_RECORDS) {
    for (let at = from; at < Math.min(records.length, from + YIELD_EVERY_RECORDS); at++) {
      const record = records[at] as ParsedRecord;
      const converted = converter.convert(record);
      const row = { ...origin, row: at + 1 };
      if ('reason' in converted) staged.reject(row, converted.reason, JSON.stringify(record));
      else staged.add(row, converted.values);
    }
    await staged.drained();
    await yieldToEventLoop();
  }
}
