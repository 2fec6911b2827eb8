import { INFERENCE_ROWS, inferColumns } from './inference/infer-columns.js';
import { CsvError } from './model/csv-error.js';
import type { InferredSchema, ProposedTypes } from './model/data-schema.js';
import { readCsvTable } from './read-csv-table.js';
import { SampleRows } from './sample-rows.js';

export interface InferenceOptions {
  /** Whether `bytes` are the whole file. */
  readonly isWhole: boolean;
  /** By name of the field, such as a language model makes them. */
  readonly proposals?: ProposedTypes;
}

/**
 * What a file holds, as far as its beginning tells: `bytes`, of which the first 10,000 records count. The same bytes give the same answer. Throws
 * CsvFault: 024 where there is a header and no row, and all that reading a head throws, of any record of the sample.
 */
export function inferSchema(bytes: Uint8Array, { isWhole, proposals }: InferenceOptions): InferredSchema {
  const table = readCsvTable(bytes, { isWhole });
  if (table === 'more') throw new Error('types are inferred from more bytes than these, or from a whole file');
  const { dialect, columns, records } = table;
  const rows: string[][] = [];
  for (const { values } of records) {
    rows.push(values);
    if (rows.length === INFERENCE_ROWS) break;
  }
  if (rows.length === 0) throw new CsvError('WA-AF-024', 'The file has a header and no row.');
  const unknown = columns.map((column) => ({ ...column, type: 'String' as const, nullable: false }));
  const { fields, columnMetadata } = inferColumns(unknown, rows, proposals);
  const sample = new SampleRows(columns);
  for (const row of rows) sample.add(row);
  return { schema: { dialect, fields }, sampleRows: sample.rows, columnMetadata };
}
