import { completeField } from '../../csv/inference/complete-field.js';
import { INFERENCE_ROWS, sampleColumns } from '../../csv/inference/infer-columns.js';
import type { DataSchema, SchemaField } from '../../csv/model/data-schema.js';
import { CsvRowStream, type RowSink } from '../../csv/stream-rows.js';
import { changeFields, type GivenField } from '../../csv/types/change-fields.js';
import type { ArtifactColumnsCheck } from './column-check.js';
import { FieldCheck } from './field-check.js';

/** Plain data, so that threads can exchange it. */
export interface ColumnsCheckTask {
  /** Start of the file. */
  readonly bytes: Uint8Array;
  readonly isWhole: boolean;
  readonly schema: DataSchema;
  readonly columns: readonly GivenField[];
}

/** Size of a piece. Like a publication, the check reads a file in pieces. */
const PIECE_BYTES = 256 * 1024;

/**
 * Like a publication, checks every row against the schema with the changed columns. Throws `CsvError` WA-AF-031 for the
 * errors of `changeFields` and `completeField`, and WA-AF-011 for a whole file without a readable table.
 */
export function checkColumns(task: ColumnsCheckTask): ArtifactColumnsCheck {
  const { fields } = completeColumns(task);
  const checks = fields.map((field) => new FieldCheck(field));
  const result = { rows: 0, rejectedRows: 0 };
  readTexts(task, {
    accept(row, values, line) {
      result.rows++;
      const texts = values as string[];
      let fits = true;
      for (const [at, check] of checks.entries()) fits = check.accepts(texts[at] as string, { row, line }) && fits;
      if (!fits) result.rejectedRows++;
    },
    reject() {
      result.rows++;
      result.rejectedRows++;
    },
  });
  const given = new Set(task.columns.map(({ name }) => name));
  const columns = checks.filter(({ field, failed }) => failed > 0 || given.has(field.name)).map((one) => one.result());
  return { ...result, isWholeFile: task.isWhole, columns };
}

function completeColumns(task: ColumnsCheckTask): DataSchema {
  const { schema, columns } = task;
  if (columns.length === 0) return schema;
  const rows: string[][] = [];
  const sink = { accept: (_: number, values: (string | null)[]) => rows.push(values as string[]), reject: () => {} };
  readTexts(task, sink as unknown as RowSink, () => rows.length >= INFERENCE_ROWS);
  const sampled = new Map(sampleColumns(schema.fields, rows).map((column) => [column.field.name, column]));
  return changeFields(schema, columns, ({ name }, given) => {
    const column = sampled.get(name);
    if (!column) throw new Error('the sample has no column of this name');
    return completeField(column, given);
  });
}

/**
 * Reads all values as texts. With the types of the columns, the stream would reject rows that do not match, and the
 * check would not receive their values. Stops when `isEnough` returns true.
 */
function readTexts({ bytes, isWhole, schema }: ColumnsCheckTask, sink: RowSink, isEnough = () => false): void {
  const asText = ({ name, title }: SchemaField): SchemaField => ({
    ...{ name, ...(title !== undefined && { title }) },
    ...{ type: 'String', nullable: false },
  });
  const stream = new CsvRowStream({ ...schema, fields: schema.fields.map(asText) }, sink);
  for (let at = 0; at < bytes.length && !isEnough(); at += PIECE_BYTES) {
    const size = Math.min(PIECE_BYTES, bytes.length - at);
    stream.read(Buffer.from(bytes.buffer, bytes.byteOffset + at, size));
  }
  if (!isWhole || isEnough()) return;
  stream.end();
  stream.requireReadable();
}
