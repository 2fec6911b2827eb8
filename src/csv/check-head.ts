import { CsvError } from './model/csv-error.js';
import type { CsvHead } from './model/data-schema.js';
import { readCsvTable } from './read-csv-table.js';
import type { CsvRecord } from './records/parse-csv-records.js';
import { SampleRows } from './sample-rows.js';

/** Share of the rows that may have more or fewer values than there are columns. */
const MAX_UNEVEN_SHARE = 0.1;

/** Rows of one value at the end of a whole file that are taken for remarks below the table, and not for uneven rows. */
const MAX_FOOTER_ROWS = 3;

/**
 * What is told of a file at its upload, from its head alone: how it is cut, what its columns are called, its first 20 rows. Each column is a String
 * until its types are inferred. 'more' where the head holds not one whole row: ask again with the first MAX_HEAD_BYTES. Throws CsvFault, 011
 * where more than a tenth of the head's rows are uneven.
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
  private uneven = 0;
  private first: CsvRecord | undefined;
  /** Rows of one value since the last that was even. */
  private trailing = 0;

  constructor(private readonly expected: number) {}

  count(record: CsvRecord): void {
    this.rows++;
    if (this.isEven(record.values)) {
      this.trailing = 0;
      return;
    }
    this.uneven++;
    this.first ??= record;
    this.trailing = record.values.length === 1 ? this.trailing + 1 : 0;
  }

  check({ isWhole }: { isWhole: boolean }): void {
    const footer = isWhole && this.trailing <= MAX_FOOTER_ROWS && this.trailing < this.rows ? this.trailing : 0;
    const uneven = this.uneven - footer;
    if (!this.first || uneven <= (this.rows - footer) * MAX_UNEVEN_SHARE) return;
    const { line, values } = this.first;
    throw new CsvError(
      'WA-AF-011',
      `${uneven} of ${this.rows} rows are uneven: line ${line} has ${values.length} values, ${this.expected} are expected.`,
    );
  }

  /** Delimiters at the end of a row, with nothing behind them, are none too many. */
  private isEven(values: readonly string[]): boolean {
    if (values.length <= this.expected) return values.length === this.expected;
    return values.slice(this.expected).every((value) => value === '');
  }
}
