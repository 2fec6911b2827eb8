import type { CsvTable } from './read-csv-table.js';
import { hasExcessValues } from './records/has-excess-values.js';
import { isRepeatedHeader } from './records/is-repeated-header.js';
import type { CsvRecord } from './records/parse-csv-records.js';
import { isRemark, MAX_REMARKS } from './records/remarks.js';

export interface SortedRecords {
  readonly rows: readonly CsvRecord[];
  /** Records in `rows` with too few values. */
  readonly padded: readonly CsvRecord[];
  readonly long: readonly CsvRecord[];
  readonly repeatedHeaders: readonly CsvRecord[];
  readonly remarks: readonly CsvRecord[];
}

/**
 * Divides the records of a table by kind. `isEnd` means that the table ends after these records. If `isEnd` is false,
 * omits the last records if they may be remarks, because only later records show their kind.
 */
export function sortRecords(
  records: readonly CsvRecord[],
  { dialect, columns }: CsvTable,
  { isEnd }: { isEnd: boolean },
): SortedRecords {
  const width = columns.length;
  const rows: CsvRecord[] = [];
  const long: CsvRecord[] = [];
  const repeatedHeaders: CsvRecord[] = [];
  let held: CsvRecord[] = [];
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
  }
  const areRemarks = isEnd && held.length < rows.length;
  if (isEnd && !areRemarks) rows.push(...held);
  const padded = rows.filter(({ values }) => values.length < width);
  return { rows, padded, long, repeatedHeaders, remarks: areRemarks ? held : [] };
}
