import { describeStructure } from './describe-structure.js';
import { findNextTable } from './find-next-table.js';
import type { Dialect } from './model/data-schema.js';
import type { TableStructure } from './model/table-structure.js';
import type { CsvTable } from './read-csv-table.js';
import { hasExcessValues } from './records/has-excess-values.js';
import { isRepeatedHeader } from './records/is-repeated-header.js';
import type { CsvRecord } from './records/parse-csv-records.js';
import { RowWidths } from './records/row-widths.js';
import { type SortedRecords, sortRecords } from './sort-records.js';

export interface TableRows {
  readonly rows: readonly (readonly string[])[];
  /** Dialect of the table, including the line at which another table starts below it. */
  readonly dialect: Dialect;
  readonly structure: TableStructure;
}

/**
 * Reads at most `maxRows` rows of a table. Does not pad rows with too few values. Omits repeated headers, and rows with
 * too many values. Also omits remarks and other tables below the table. Throws `CsvError` WA-AF-011 if the table is not
 * readable.
 */
export function readTableRows(
  table: CsvTable,
  { isWhole, maxRows = Infinity }: { isWhole: boolean; maxRows?: number },
): TableRows {
  const { dialect, columns } = table;
  const { records, isAtEnd } = takeRecords(table, maxRows);
  const next = findNextTable(records, columns, { hasHeader: dialect.header });
  const isEnd = next !== undefined || (isWhole && isAtEnd);
  const sorted = sortRecords(records.slice(0, next), table, { isEnd });
  requireReadable(sorted, columns.length);
  const rows = sorted.rows.map(({ values }) => values.slice(0, columns.length));
  const otherTable = next === undefined ? [] : records.slice(next);
  const line = otherTable[0]?.line;
  return {
    rows,
    dialect: line === undefined ? dialect : { ...dialect, nextTableLine: line },
    structure: describeStructure(table, { ...sorted, otherTable }),
  };
}

/**
 * Reads records until they contain `maxRows` rows. Repeated headers do not count. Records with excess values do not
 * count either.
 */
function takeRecords(
  { dialect, columns, records }: CsvTable,
  maxRows: number,
): { records: CsvRecord[]; isAtEnd: boolean } {
  const taken: CsvRecord[] = [];
  let rows = 0;
  for (const record of records) {
    taken.push(record);
    if (!isLeftOut(record, { dialect, columns }) && ++rows === maxRows) return { records: taken, isAtEnd: false };
  }
  return { records: taken, isAtEnd: true };
}

function isLeftOut({ values }: CsvRecord, { dialect, columns }: Pick<CsvTable, 'dialect' | 'columns'>): boolean {
  return hasExcessValues(values, columns.length) || (dialect.header && isRepeatedHeader(values, columns));
}

function requireReadable({ rows, long }: SortedRecords, columns: number): void {
  const widths = new RowWidths(columns);
  for (const { values, line } of rows) widths.add(values.length, line, false);
  for (const { values, line } of long) widths.add(values.length, line, true);
  widths.requireReadable();
}
