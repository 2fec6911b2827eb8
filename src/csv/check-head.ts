import type { CsvHead } from './model/data-schema.js';
import { readCsvTable } from './read-csv-table.js';
import { SampleRows } from './sample-rows.js';
import { readTableRows } from './table-rows.js';

/**
 * Detects the dialect and the column names of an uploaded file from its head, and returns the first 20 rows. Returns
 * `more` if the head contains no complete row. The caller must then pass the first `MAX_HEAD_BYTES` bytes. Throws
 * `CsvError`, such as WA-AF-011 if the head has no readable table.
 */
export function checkHead(bytes: Uint8Array, { isWhole }: { isWhole: boolean }): CsvHead | 'more' {
  const table = readCsvTable(bytes, { isWhole });
  if (table === 'more') return 'more';
  const { columns } = table;
  const { rows, dialect } = readTableRows(table, { isWhole });
  const fields = columns.map((column) => ({ ...column, type: 'String' as const, nullable: false }));
  return { schema: { dialect, fields }, sampleRows: SampleRows.of(columns, rows) };
}
