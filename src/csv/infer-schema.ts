import { CsvFault } from './csv-fault.js';
import type { InferredSchema, ProposedTypes } from './data-schema.js';
import { INFERENCE_ROWS, inferColumns } from './infer-columns.js';
import { readTable } from './read-table.js';
import { Sample } from './sample.js';

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
  const table = readTable(bytes, { isWhole });
  if (table === 'more') throw new Error('types are inferred from more bytes than these, or from a whole file');
  const { dialect, columns, records } = table;
  const rows: string[][] = [];
  for (const { values } of records) {
    rows.push(values);
    if (rows.length === INFERENCE_ROWS) break;
  }
  if (rows.length === 0) throw new CsvFault('WA-AF-024', 'The file has a header and no row.');
  const unknown = columns.map((column) => ({ ...column, type: 'String' as const, nullable: false }));
  const { fields, columnMetadata } = inferColumns(unknown, rows, proposals);
  const sample = new Sample(columns);
  for (const row of rows) sample.take(row);
  return { schema: { dialect, fields }, sampleRows: sample.rows, columnMetadata };
}
