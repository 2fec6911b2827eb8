import { describe, expect, it } from 'vitest';
import { checkHead } from '../../../src/csv/check-head.js';
import type { CsvHead } from '../../../src/csv/model/data-schema.js';

const headOf = (text: string): CsvHead => checkHead(Buffer.from(text), { isWhole: true }) as CsvHead;
const wide = (count: number, title: string, rows: number): string =>
  `${Array.from({ length: count }, (_, i) => `${title}${i}`).join()}\n${`${'1,'.repeat(count - 1)}1\n`.repeat(rows)}`;

describe('a preview', () => {
  it('shows the first 20 rows', () => {
    expect(headOf(wide(2, 'a', 30)).sampleRows).toHaveLength(20);
  });

  it('shows fewer rows if the column names are long', () => {
    const { sampleRows } = headOf(wide(2_000, 'a title of some length ', 30));
    expect([sampleRows.length > 0, JSON.stringify(sampleRows).length < 400_000]).toEqual([true, true]);
  });

  it('cuts long values between characters', () => {
    const [row] = headOf(`a,b\n${'x'.repeat(1_023)}👍,1\n`).sampleRows;
    expect(row?.a).toBe(`${'x'.repeat(1_023)}\ufffd`);
  });
});

describe('titles', () => {
  it('are rejected if they are too long together', () => {
    const long = expect.objectContaining({ code: 'WA-AF-007' });
    expect(() => headOf(wide(2_000, '中'.repeat(200), 3))).toThrow(long);
  });
});
