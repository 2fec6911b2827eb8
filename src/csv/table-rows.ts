import { describeStructure } from './describe-structure.js';
import { CsvError } from './model/csv-error.js';
import type { TableStructure } from './model/table-structure.js';
import type { CsvTable } from './read-csv-table.js';
import { hasExcessValues } from './records/has-excess-values.js';
import { isRepeatedHeader } from './records/is-repeated-header.js';
import type { CsvRecord } from './records/parse-csv-records.js';
import { isRemark, MAX_REMARKS } from './records/remarks.js';

/** A file has a readable table if at least this share of its records has the same width. */
const MIN_EVEN_SHARE = 0.25;

/** If more than this share of the records has too many values, the file has no readable table. */
const MAX_LONG_SHARE = 0.5;

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

function requireReadable({ rows, long }: SortedRecords, width: number): void {
  const total = rows.length + long.length;
  if (total === 0) return;
  const counts = new Map<number, number>();
  for (const { values } of [...rows, ...long]) counts.set(values.length, (counts.get(values.length) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const [first] = long;
  if (first && long.length > total * MAX_LONG_SHARE)
    throw new CsvError(
      'WA-AF-011',
      `The file has no readable table: ${long.length} of ${total} rows have more values than the ${width} columns. The first of them is in line ${first.line}, with ${first.values.length} values.`,
    );
  if (most < total * MIN_EVEN_SHARE)
    throw new CsvError(
      'WA-AF-011',
      `The file has no readable table: at most ${most} of ${total} rows have the same number of values.`,
    );
}
