import { backgroundTurn } from '../../kernel/concurrency/background-turn.js';
import type { StagingArea } from '../staging/staging-area.js';
import type { RowOrigin } from '../staging/staging-file.js';
import { type TableSchema, withoutRecordColumns } from '../table-schema.js';
import { RecordConverter } from './convert-record.js';
import { ADD_COLUMNS, type Drift } from './drift.js';
import { type RecordIdentity, stageConverted } from './record-identity.js';
import { isFrozen, SchemaEvolution } from './record-schema.js';
import { type RecordField, splitRecordFields } from './split-record-fields.js';

export interface RecordBatch {
  readonly id: string;
  readonly receivedAt: string;
  /** One record per line. A record is a JSON object without whitespace between values. */
  readonly body: string;
}

const YIELD_EVERY_CHARACTERS = 32 * 1024;

/**
 * Returns the schema with the columns that the records add. Returns `schema` itself if the records add no columns or
 * cannot add columns (`isFrozen`).
 */
export async function evolveSchema(
  batches: readonly RecordBatch[],
  schema: TableSchema,
  drift: Drift = ADD_COLUMNS,
  recordOf = (line: string): string => line,
): Promise<TableSchema> {
  if (isFrozen(schema, drift.policy)) return schema;
  const evolution = new SchemaEvolution(schema);
  await eachRecord(batches, (line) => {
    const fields = fieldsIn(recordOf(line));
    if (fields) evolution.observe(fields);
  });
  return evolution.result();
}

interface StagingOptions {
  /** Reason to reject the records. Undefined to accept them. */
  readonly rejectionReason?: string | undefined;
  readonly drift?: Drift;
  /**
   * Converts the record of a line to the form that the table stores. By default, the table stores the line unchanged.
   */
  readonly recordOf?: ((line: string) => string) | undefined;
  /** Returns the identity of a record from its JSON text, for a table with the mode `upsert` or `history`. */
  readonly identify?: ((line: string, receivedAt: string) => RecordIdentity) | undefined;
}

/**
 * Stages the records as rows, or as rejects if `rejectionReason` is set. If a user must accept new columns of a record,
 * stages it as a held record. A held record has the form that `recordOf` returns, because the service loads accepted
 * records without `recordOf`. The staging schema must have the columns that `evolveSchema` returns for the batches.
 * Parses the records again, although `evolveSchema` has parsed them. The parsed fields would take many times as much
 * memory as the text.
 */
export async function stageRecords(
  batches: readonly RecordBatch[],
  staged: StagingArea,
  { rejectionReason, drift, recordOf = (line) => line, identify }: StagingOptions = {},
): Promise<void> {
  const converter = new RecordConverter(withoutRecordColumns(staged.schema), drift);
  await eachRecord(
    batches,
    (line, origin) => {
      const record = recordOf(line);
      const fields = fieldsIn(record);
      const converted = fields ? converter.convert(fields) : { reason: 'the record is not valid JSON' };
      if ('values' in converted && rejectionReason !== undefined)
        staged.rejectValues(origin, converted.values, rejectionReason, line);
      else
        stageConverted(staged, origin, { converted, identity: identify?.(line, origin.receivedAt) }, () =>
          'needs' in converted ? record : line,
        );
    },
    () => staged.drained(),
  );
}

/** Stages all records as rejects, with the text that the sender sent. */
export async function rejectRecords(
  batches: readonly RecordBatch[],
  reason: string,
  staged: StagingArea,
): Promise<void> {
  await eachRecord(
    batches,
    (line, origin) => staged.reject(origin, reason, line),
    () => staged.drained(),
  );
}

async function eachRecord(
  batches: readonly RecordBatch[],
  take: (line: string, origin: RowOrigin) => void,
  settled: () => Promise<void> = async () => undefined,
): Promise<void> {
  let characters = 0;
  for (const { id, receivedAt, body } of batches) {
    let row = 0;
    for (const line of linesOf(body)) {
      row += 1;
      take(line, { batch: id, row, receivedAt });
      characters += line.length;
      if (characters < YIELD_EVERY_CHARACTERS) continue;
      characters = 0;
      await settled();
      await backgroundTurn();
    }
  }
  await settled();
}

function* linesOf(body: string): Generator<string> {
  for (let from = 0; from < body.length; ) {
    const newline = body.indexOf('\n', from);
    const end = newline < 0 ? body.length : newline;
    yield body.slice(from, end);
    from = end + 1;
  }
}

/** Returns undefined for an invalid line, because an error would block the following batches. */
function fieldsIn(line: string): readonly RecordField[] | undefined {
  try {
    return splitRecordFields(line);
  } catch {
    return undefined;
  }
}
