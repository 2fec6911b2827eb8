import { randomUUID } from 'node:crypto';
import { backgroundTurn } from '../../kernel/concurrency/background-turn.js';
import type { StagingArea } from '../staging/staging-area.js';
import type { ObjectConverter, ParsedRecord } from './convert-object.js';
import { type RecordIdentity, stageConverted } from './record-identity.js';

/** Number of records to stage per turn of the event loop. */
const RECORDS_PER_TURN = 50;

interface ParsedBatch {
  readonly records: readonly ParsedRecord[];
  /** Identity of each record, for a table with the mode `upsert` or `history`. */
  readonly identities?: readonly RecordIdentity[] | undefined;
  readonly receivedAt: Date;
}

/** Like `stageRecords`, for parsed records. `converter` must have the schema of `staged`. */
export async function stageObjects(
  { records, identities, receivedAt }: ParsedBatch,
  staged: StagingArea,
  converter: ObjectConverter,
): Promise<void> {
  const [batch, time] = [randomUUID(), receivedAt.toISOString()];
  for (let from = 0; from < records.length; from += RECORDS_PER_TURN) {
    await backgroundTurn();
    for (let at = from; at < Math.min(records.length, from + RECORDS_PER_TURN); at++) {
      const record = records[at] as ParsedRecord;
      const converted = converter.convert(record);
      const origin = { batch, row: at + 1, receivedAt: time };
      stageConverted(staged, origin, { converted, identity: identities?.[at] }, () => JSON.stringify(record));
    }
    await staged.drained();
  }
}
