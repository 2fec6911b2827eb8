import { setImmediate as breathe } from 'node:timers/promises';
import type { StagingArea } from '../tables/staging/staging-area.js';
import type { RowOrigin } from '../tables/staging/staging-file.js';
import type { TableSchema } from '../tables/table-schema.js';
import type { BatchWithRecords } from './pending-batches.js';
import { RecordConverter } from './records/convert-record.js';
import { SchemaEvolution } from './records/record-schema.js';
import { type RecordField, splitRecordFields } from './records/split-record-fields.js';

/** Characters after which other work of the process gets its turn. */
const YIELD_EVERY_CHARACTERS = 128 * 1024;

/** The columns with those that the records add. */
export async function evolveSchema(batches: readonly BatchWithRecords[], schema: TableSchema): Promise<TableSchema> {
  const survey = new SchemaEvolution(schema);
  await eachRecord(batches, (line) => {
    const fields = fieldsIn(line);
    if (fields) survey.observe(fields);
  });
  return survey.result();
}

/**
 * Adds the records to rows whose columns they have been surveyed for; where they must not become part of the table, to what does not fit, with the reason.
 * They are cut a second time, since the fields of all of them would be many times their text.
 */
export async function stageBatches(
  batches: readonly BatchWithRecords[],
  staged: StagingArea,
  refusal?: string,
): Promise<void> {
  const rows = new RecordConverter(staged.schema);
  await eachRecord(
    batches,
    (line, origin) => {
      const fields = fieldsIn(line);
      const made = fields ? rows.convert(fields) : { reason: 'the record cannot be read' };
      if ('reason' in made) staged.reject(origin, made.reason, line);
      else if (refusal !== undefined) staged.rejectValues(origin, made.values, refusal, line);
      else staged.add(origin, made.values);
    },
    () => staged.drained(),
  );
}

/** Adds the records to what does not fit, all of them, as they were sent. */
export async function rejectBatches(
  batches: readonly BatchWithRecords[],
  reason: string,
  staged: StagingArea,
): Promise<void> {
  await eachRecord(
    batches,
    (line, origin) => staged.reject(origin, reason, line),
    () => staged.drained(),
  );
}

/** Now and then, and at the end, it waits for `settled`, and others get their turn. */
async function eachRecord(
  batches: readonly BatchWithRecords[],
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
      await breathe();
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

/** What is no record would otherwise hold up all those behind it for ever. */
function fieldsIn(line: string): readonly RecordField[] | undefined {
  try {
    return splitRecordFields(line);
  } catch {
    return undefined;
  }
}
