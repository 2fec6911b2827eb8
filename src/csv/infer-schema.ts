import { INFERENCE_ROWS, inferColumns } from './inference/infer-columns.js';
import { CsvError } from './model/csv-error.js';
import type { InferredSchema, ProposedTypes } from './model/data-schema.js';
import { readCsvTable } from './read-csv-table.js';
import { SampleRows } from './sample-rows.js';
import { readTableRows } from './table-rows.js';

export interface InferenceOptions {
  readonly isWhole: boolean;
  /** Proposed types by field name, for example from a language model. */
  readonly proposals?: ProposedTypes;
}

/**
 * Infers the schema of a file from the first 10,000 rows of `bytes`. Deterministic. Throws `CsvError` WA-AF-024 if the
 * file has a header but no row. Also throws the errors of `checkHead`.
 */
export function inferSchema(bytes: Uint8Array, { isWhole, proposals }: InferenceOptions): InferredSchema {
  const table = readCsvTable(bytes, { isWhole });
  if (table === 'more') throw new Error('the bytes contain no complete row; pass more bytes or the whole file');
  const { columns } = table;
  const { rows, dialect, structure } = readTableRows(table, { isWhole, maxRows: INFERENCE_ROWS });
  if (rows.length === 0) throw new CsvError('WA-AF-024', 'The file has a header but no rows.');
  const untyped = columns.map((column) => ({ ...column, type: 'String' as const, nullable: false }));
  const { fields, columnMetadata } = inferColumns(untyped, rows, proposals);
  return { schema: { dialect, fields }, sampleRows: SampleRows.of(columns, rows), columnMetadata, structure };
}
