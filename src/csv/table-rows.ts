import { describeStructure } from './describe-structure.js';
import type { TableStructure } from './model/table-structure.js';
import type { CsvTable } from './read-csv-table.js';
import { hasExcessValues } from './records/has-excess-values.js';
import { isRepeatedHeader } from './records/is-repeated-header.js';
import type { CsvRecord } from './records/parse-csv-records.js';
import { isRemark, MAX_REMARKS } from './records/remarks.js';
import { RowWidths } from './records/row-widths.js';

/** The records of a table, grouped by how they are handled. Each record is in exactly one list. */
export interface SortedRecords {
  readonly rows: readonly CsvRecord[];
  /** Rows with too few values, which are also in `rows`. */
  readonly padded: readonly CsvRecord[];
  readonly long: readonly CsvRecord[];
  readonly repeatedHeaders: readonly CsvRecord[];
  readonly remarks: readonly CsvRecord[];
}

/** The rows of a table as a publication loads them, and how the other records were handled. */
export interface TableRows {
  readonly rows: readonly (readonly string[])[];
  readonly structure: TableStructure;
}

/**
 * Reads at most `maxRows` rows of a table. Rows with too few values are padded; rows with too many values, repeated
 * headers, and remarks below the table are left out. Throws `CsvError` WA-AF-011 if the table is not readable.
 */
export function readTableRows(
  table: CsvTable,
  { isWhole, maxRows = Infinity }: { isWhole: boolean; maxRows?: number },
): TableRows {
  const sorted = sortRecords(table, { isWhole, maxRows });
  requireReadable(sorted, table.columns.length);
  const rows = sorted.rows.map(({ values }) => values.slice(0, table.columns.length));
  return { rows, structure: describeStructure(table, sorted) };
}

function sortRecords(
  { dialect, columns, records }: CsvTable,
  { isWhole, maxRows }: { isWhole: boolean; maxRows: number },
): SortedRecords {
  const width = columns.length;
  const rows: CsvRecord[] = [];
  const long: CsvRecord[] = [];
  const repeatedHeaders: CsvRecord[] = [];
  let held: CsvRecord[] = [];
  let isAtEnd = isWhole;
  for (const record of records) {
    const { values } = record;
    if (held.length < MAX_REMARKS && isRemark(values, width, { follows: held.length > 0 })) {
      held.push(record);
      continue;
    }
    rows.push(...held);
    held = [];
    if (dialect.header && isRepeatedHeader(values, columns)) repeatedHeaders.push(record);
    else (hasExcessValues(values, width) ? long : rows).push(record);
    if (rows.length >= maxRows) {
      isAtEnd = false;
      break;
    }
  }
  // If more of the file follows, a later row may show that these records are rows.
  const areRemarks = isAtEnd && held.length < rows.length;
  if (isAtEnd && !areRemarks) rows.push(...held);
  const padded = rows.filter(({ values }) => values.length < width);
  return { rows, padded, long, repeatedHeaders, remarks: areRemarks ? held : [] };
}

function requireReadable({ rows, long }: SortedRecords, columns: number): void {
  const widths = new RowWidths(columns);
  for (const { values, line } of rows) widths.add(values.length, line, false);
  for (const { values, line } of long) widths.add(values.length, line, true);
  widths.requireReadable();
}
