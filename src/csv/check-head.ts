import type { CsvHead } from './model/data-schema.js';
import { readCsvTable } from './read-csv-table.js';
import { SampleRows } from './sample-rows.js';
import { readTableRows } from './table-rows.js';

/**
 * Analyzes the head of an uploaded file: dialect, column names and the first 20 rows. All columns are Strings until the
 * schema inference. Returns `more` if the head contains no complete row. The caller must then call the function again
 * with the first `MAX_HEAD_BYTES`. Throws `CsvError`, such as WA-AF-011 if the head has no readable table.
 */
export function checkHead(bytes: Uint8Array, { isWhole }: { isWhole: boolean }): CsvHead | 'more' {
  const table = readCsvTable(bytes, { isWhole });
  if (table === 'more') return 'more';
  const { columns } = table;
  const { rows, dialect } = readTableRows(table, { isWhole });
  const fields = columns.map((column) => ({ ...column, type: 'String' as const, nullable: false }));
  return { schema: { dialect, fields }, sampleRows: SampleRows.of(columns, rows) };
}
