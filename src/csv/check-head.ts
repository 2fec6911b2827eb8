import { CsvError } from './model/csv-error.js';
import type { CsvHead } from './model/data-schema.js';
import { readCsvTable } from './read-csv-table.js';
import type { CsvRecord } from './records/parse-csv-records.js';
import { SampleRows } from './sample-rows.js';

/** Maximum share of rows whose number of values differs from the number of columns. */
const MAX_UNEVEN_SHARE = 0.1;

/** At the end of a whole file, up to this many rows with one value are ignored, as remarks below the table. */
const MAX_FOOTER_ROWS = 3;

/**
 * Analyzes the head of an uploaded file: dialect, column names and the first 20 rows. All columns are Strings until the
 * schema inference. Returns 'more' if the head contains no complete row; call again with the first `MAX_HEAD_BYTES`.
 * Throws `CsvError`, such as WA-AF-011 if more than a tenth of the rows have a wrong number of values.
 */
export function checkHead(bytes: Uint8Array, { isWhole }: { isWhole: boolean }): CsvHead | 'more' {
  const table = readCsvTable(bytes, { isWhole });
  if (table === 'more') return 'more';
  const { dialect, columns, records } = table;
  const sample = new SampleRows(columns);
  const widths = new RowWidths(columns.length);
  for (const record of records) {
    sample.add(record.values);
    widths.count(record);
  }
  widths.check({ isWhole });
  const fields = columns.map((column) => ({ ...column, type: 'String' as const, nullable: false }));
  return { schema: { dialect, fields }, sampleRows: sample.rows };
}

class RowWidths {
  private rows = 0;
  private unevenRows = 0;
  private first: CsvRecord | undefined;
  /** Number of trailing rows with one value. */
  private trailing = 0;

  constructor(private readonly expected: number) {}

  count(record: CsvRecord): void {
    this.rows++;
    if (this.isEven(record.values)) {
      this.trailing = 0;
      return;
    }
    this.unevenRows++;
    this.first ??= record;
    this.trailing = record.values.length === 1 ? this.trailing + 1 : 0;
  }

  check({ isWhole }: { isWhole: boolean }): void {
    const footer = isWhole && this.trailing <= MAX_FOOTER_ROWS && this.trailing < this.rows ? this.trailing : 0;
    const uneven = this.unevenRows - footer;
    if (!this.first || uneven <= (this.rows - footer) * MAX_UNEVEN_SHARE) return;
    const { line, values } = this.first;
    throw new CsvError(
      'WA-AF-011',
      `${uneven} of ${this.rows} rows have the wrong number of values: line ${line} has ${values.length} instead of ${this.expected}.`,
    );
  }

  /** Trailing delimiters without values after them do not count. */
  private isEven(values: readonly string[]): boolean {
    if (values.length <= this.expected) return values.length === this.expected;
    return values.slice(this.expected).every((value) => value === '');
  }
}
