import { describe, expect, it } from 'vitest';
import { checkHead } from '../../../src/csv/check-head.js';
import { readCsvTable } from '../../../src/csv/read-csv-table.js';
import { WHOLE_FILE } from '../../support/csv/csv-fault.js';
import { type RandomCsv, randomCsvs, seededRandom } from '../../support/csv/random-csv.js';

function readingOf({ text }: RandomCsv): object {
  const table = readCsvTable(Buffer.from(text), WHOLE_FILE);
  if (table === 'more') throw new Error('a whole file was read only in part');
  const { delimiter, quote, escape: escaping, header } = table.dialect;
  return { delimiter, quote, escape: escaping, header, rows: [...table.records].map(({ values }) => values) };
}

describe('generated CSV files', () => {
  const files = randomCsvs(1);

  it('are read with the dialect they were written in', () => {
    const misread = files.filter((file) => {
      const { delimiter, quote, escape: escaping, header, rows } = file;
      return JSON.stringify(readingOf(file)) !== JSON.stringify({ delimiter, quote, escape: escaping, header, rows });
    });
    expect(misread.map(({ label }) => label)).toEqual([]);
    expect(files.length).toBeGreaterThan(350);
  });

  it('keep all rows that start with #, quoted or not', () => {
    const random = seededRandom(2);
    const pick = (values: readonly string[]) => values[Math.floor(random() * values.length)] ?? '';
    const tags = ['#a', '#1', '#', '# b, c', '#"d"', '#e\n#f', 'plain', 'two\nlines', '12'];
    for (let file = 0; file < 200; file++) {
      const rows = Array.from({ length: 2 + (file % 30) }, (_, row) => [pick(tags), String(row), pick(tags)]);
      const write = (value: string) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
      const lines = [['tag', 'n', 'remark'], ...rows].map((row) => `${row.map(write).join(',')}\n`);
      const table = readCsvTable(Buffer.from(lines.join('')), WHOLE_FILE);
      expect(table === 'more' ? table : [...table.records].map(({ values }) => values)).toEqual(rows);
    }
  });

  it('are read deterministically and in every encoding', () => {
    for (const { text } of files.slice(0, 40)) {
      const first = checkHead(Buffer.from(text), WHOLE_FILE);
      expect(checkHead(Buffer.from(text), WHOLE_FILE)).toEqual(first);
      const wide = checkHead(Buffer.from(`\ufeff${text}`, 'utf16le'), WHOLE_FILE);
      expect(wide).toMatchObject({ sampleRows: (first as { sampleRows: unknown }).sampleRows });
    }
  });
});
