import { randomUUID } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { StagingArea } from '../staging/staging-area.js';
import type { ObjectConverter, ParsedRecord } from './convert-object.js';
import { type RecordIdentity, stageConverted } from './record-identity.js';

/** Yields to the event loop after this many records. */
const YIELD_EVERY_RECORDS = 100;

interface ParsedBatch {
  readonly records: readonly ParsedRecord[];
  /** Of each record, for a table that holds each record once. */
  readonly identities?: readonly RecordIdentity[] | undefined;
  readonly receivedAt: Date;
}

/** Like `stageRecords`, for parsed records. `converter` must have the schema of `staged`. */
export async function stageObjects(
  { records, identities, receivedAt }: ParsedBatch,
  staged: StagingArea,
  converter: ObjectConverter,
): Promise<void> {
  const origin = { batch: randomUUID(), receivedAt: receivedAt.toISOString() };
  for (let from = 0; from < records.length; from += YIELD_EVERY_RECORDS) {
    for (let at = from; at < Math.min(records.length, from + YIELD_EVERY_RECORDS); at++) {
      const record = records[at] as ParsedRecord;
      const converted = converter.convert(record);
      const row = { ...origin, row: at + 1 };
      stageConverted(staged, row, { converted, identity: identities?.[at] }, () => JSON.stringify(record));
    }
    await staged.drained();
    await yieldToEventLoop();
  }
}
