import { describe, expect, it } from 'vitest';
import { readTableRows, type TableRows } from '../../../src/csv/table-rows.js';

const COLUMNS = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ name }));
const DIALECT = {
  ...{ encoding: 'utf-8', delimiter: ',', quote: '"', escape: null, comment: null, header: true, skipLines: 0 },
};

function readRowsOfWidths(...widths: number[]): TableRows {
  const records = widths.map((width, nth) => ({ line: nth + 2, values: Array.from({ length: width }, () => '1') }));
  const table = { dialect: DIALECT, columns: COLUMNS, droppedColumns: 0, textAbove: '', records };
  return readTableRows(table, { isWhole: true });
}

const rowsOfEach = (count: number, ...widths: number[]) => widths.flatMap((width) => Array<number>(count).fill(width));

describe('a file without a readable table is rejected (WA-AF-011)', () => {
  it('if fewer than a quarter of the rows have the same number of values', () => {
    expect(() => readRowsOfWidths(2, 3, 4, 5, 6)).toThrow(/^.*at most 1 of 5 rows have the same number of values\.$/);
    expect(readRowsOfWidths(2, 3, 4, 5).rows).toHaveLength(4);
    const accepted = rowsOfEach(250, 2, 3, 4, 5);
    expect(readRowsOfWidths(...accepted).structure).toMatchObject({ rows: 1_000, paddedRows: 1_000 });
    expect(() => readRowsOfWidths(...accepted, 6)).toThrow('at most 250 of 1001 rows');
  });

  it('if more than half of the rows have too many values', () => {
    expect(() => readRowsOfWidths(6, 7, 7)).toThrow(
      /2 of 3 rows have more values than the table has columns \(6\).*line 3/,
    );
    const accepted = rowsOfEach(500, 6, 7);
    expect(readRowsOfWidths(...accepted).structure).toMatchObject({ rows: 500, longRows: 500 });
    expect(() => readRowsOfWidths(...accepted, 7)).toThrow('501 of 1001 rows');
  });
});
