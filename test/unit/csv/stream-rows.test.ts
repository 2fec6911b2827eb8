import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../../src/csv/model/data-schema.js';
import { parseCsvRecords } from '../../../src/csv/records/parse-csv-records.js';
import { RecordScanner } from '../../../src/csv/records/record-scanner.js';
import { CsvRowStream } from '../../../src/csv/stream-rows.js';
import { WHOLE_FILE } from '../../support/csv/csv-fault.js';
import { randomCsvs, seededRandom } from '../../support/csv/random-csv.js';
import { aSchema, readStreamedRows, type StreamedRow, splitBytes } from '../../support/csv/streamed-rows.js';
import { atScale } from '../../support/soak.js';

const MIB = 1024 * 1024;

const THREE = ['a', 'b', 'c'];

const textRows = (text: string, columns = THREE, dialect: Partial<Dialect> = {}) =>
  readStreamedRows(aSchema(columns, dialect), [Buffer.from(text)]);
const valuesOf = (rows: readonly StreamedRow[]) => rows.map(({ values }) => values);
const reasonsOf = (rows: readonly StreamedRow[]) => rows.map(({ reason }) => reason);

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function heap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** Pieces that make records hard to split. */
const PIECES = [
  ...['a', 'ü', '€', '😀', ',', ',', '"', '"', '""', '\n', '\n', '\r\n', '\r', ' ', '\t', '#', '\\', 'x,y\n', '"q",'],
  ...['"a\nb"c', ' "', '""""', '\ufeff', '\u2028'],
];

function hostileText(random: () => number, length: number): string {
  return Array.from({ length }, () => PIECES[Math.floor(random() * PIECES.length)]).join('');
}

function recordsOf(dialect: Dialect, pieces: readonly string[]): string[][] {
  const scanner = new RecordScanner('', dialect, false);
  const records: string[][] = [];
  let text = '';
  for (const [nth, piece] of pieces.entries()) {
    const { rest } = scanner;
    text = text.slice(rest) + piece;
    scanner.moveTo(text, rest, { hasMore: nth < pieces.length - 1 });
    for (let record = scanner.next(); record; record = scanner.next()) records.push(record);
  }
  return records;
}

describe('the rows of a whole file', () => {
  it('equal the written rows in all dialects', () => {
    for (const { label, rows, text, ...dialect } of randomCsvs(7)) {
      const schema = aSchema(
        (rows[0] ?? []).map(() => ({})),
        dialect,
      );
      expect([label, valuesOf(readStreamedRows(schema, splitBytes(Buffer.from(text), 7)))]).toEqual([label, rows]);
    }
  });

  it.each<[string, Partial<Dialect>]>([
    ['quotes', {}],
    ['backslashes', { escape: '\\' }],
    ['no quotes', { quote: null, escape: null }],
    ['comments', { comment: '#' }],
    ['spaces as delimiters', { delimiter: ' ' }],
    ['lines before the header', { skipLines: 3, header: true }],
  ])('do not depend on the chunks: %s', (_, dialect) => {
    const random = seededRandom(1_000);
    const schema = aSchema(THREE, dialect);
    for (let nth = 0; nth < atScale(10, 600); nth++) {
      const bytes = Buffer.from(hostileText(random, 40));
      const atOnce = readStreamedRows(schema, [bytes]);
      expect(readStreamedRows(schema, splitBytes(bytes, 1))).toEqual(atOnce);
      for (let cut = 1; cut < bytes.length; cut++)
        expect(readStreamedRows(schema, [bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(atOnce);
    }
  });

  it('equal the records of the head', () => {
    const random = seededRandom(2_000);
    const { dialect } = aSchema(THREE);
    let compared = 0;
    for (let nth = 0; nth < 400; nth++) {
      const text = hostileText(random, 30).replaceAll('\ufeff', '');
      const found = readStreamedRows(aSchema(THREE), splitBytes(Buffer.from(text), 1));
      if (reasonsOf(found).some((reason) => reason?.includes('no closing quote'))) continue;
      const records = [...parseCsvRecords(text, dialect, WHOLE_FILE)].map(({ values }) => values);
      expect(found.length).toBe(records.length);
      for (const [at, { values }] of found.entries())
        if (values) expect([...(records[at] ?? []), '', ''].slice(0, 3)).toEqual(values);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(100);
  });

  it('do not depend on how the text is split for the scanner', () => {
    const random = seededRandom(3_000);
    const { dialect } = aSchema(THREE);
    for (let nth = 0; nth < 300; nth++) {
      const text = hostileText(random, 30);
      const atOnce = recordsOf(dialect, [text]);
      for (let cut = 1; cut < text.length; cut++)
        expect([text, cut, recordsOf(dialect, [text.slice(0, cut), text.slice(cut)])]).toEqual([text, cut, atOnce]);
    }
  });

  it('are counted after the header, including rejected rows', () => {
    const rows = textRows('title\n\na,b,c\n1,2,3\n\n4,5,6,7\n8,9,0\n', THREE, { skipLines: 2, header: true });
    expect(rows).toEqual([
      { row: 1, values: ['1', '2', '3'] },
      { row: 2, reason: 'row 2: the row has 4 values for 3 columns (line 6)', record: '4,5,6,7' },
      { row: 3, values: ['8', '9', '0'] },
    ]);
  });

  it('may have trailing delimiters, but not excess values', () => {
    expect(textRows('1,2,3,, \n1,2,3,,4\n')).toEqual([
      { row: 1, values: ['1', '2', '3'] },
      { row: 2, reason: 'row 2: the row has 5 values for 3 columns (line 2)', record: '1,2,3,,4' },
    ]);
  });

  it('are padded with empty values if they are short', () => {
    expect(valuesOf(textRows('1,2,3\n4,5\n6\n7,8,9\n'))).toEqual([
      ['1', '2', '3'],
      ['4', '5', ''],
      ['6', '', ''],
      ['7', '8', '9'],
    ]);
    const schema = aSchema([{ type: 'Integer' }, { type: 'Integer' }, { type: 'Integer', nullable: true }]);
    expect(readStreamedRows(schema, [Buffer.from('1\n2,3\n4,5,6\n')])).toEqual([
      { row: 1, reason: 'row 1: column "c2": the value is missing', record: '1' },
      { row: 2, values: ['2', '3', null] },
      { row: 3, values: ['4', '5', '6'] },
    ]);
  });

  it('do not include remarks below the table, which are rejected with their lines', () => {
    const table = 'a,b,c\n1,2,3\n4,5,6\n7,8,9\n1,1,1\n2,2,2\n';
    const rows = textRows(`${table},,\nSource: x\r\n\r\nof 2024,,\n1) y\n`, THREE, { header: true });
    expect(reasonsOf(rows.slice(5))).toEqual([
      'row 6: the row is a remark below the table (line 7)',
      'row 7: the row is a remark below the table (line 8)',
      'row 8: the row is a remark below the table (line 10)',
      'row 9: the row is a remark below the table (line 11)',
    ]);
    expect(rows[6]?.record).toBe('Source: x');
    expect(textRows(`${table}Source: x\n3,3,3`, THREE, { header: true })[5]?.values).toEqual(['Source: x', '', '']);
    expect(valuesOf(textRows('1,2,3\n4\n5\n'))).toHaveLength(3);
  });

  it('do not include repetitions of the header', () => {
    const rows = textRows('a,b,c\n1,2,3\na, b ,c\n4,5,6\n', THREE, { header: true });
    expect(reasonsOf(rows)).toEqual([undefined, 'row 2: the row repeats the header (line 3)', undefined]);
    expect(valuesOf(textRows('a,b,c\n', THREE))).toEqual([THREE]);
  });

  it('have values of the column types, or are rejected with the value and the type', () => {
    const schema = aSchema([
      { name: 'id', type: 'Integer' },
      { name: 'born', type: 'Date', format: 'dd/MM/yyyy', nullable: true, nullTokens: ['n/a'] },
      { name: 'paid', type: 'Decimal', decimalSeparator: ',', groupSeparator: '.', precision: 7, scale: 2 },
    ]);
    const text = '1,31/01/2024,"1.234,50"\n2,N/A,"1,5"\n3,31/02/2024,"1,5"\n,,"1,5"\n';
    expect(readStreamedRows(schema, [Buffer.from(text)])).toEqual([
      { row: 1, values: ['1', '2024-01-31', '1234.50'] },
      { row: 2, values: ['2', null, '1.5'] },
      {
        row: 3,
        reason: 'row 3: column "born": "31/02/2024" is not a date (dd/MM/yyyy)',
        record: '3,31/02/2024,"1,5"',
      },
      { row: 4, reason: 'row 4: column "id": the value is missing', record: ',,"1,5"' },
    ]);
  });

  it('require a schema with valid formats', () => {
    expect(() => readStreamedRows(aSchema([{ type: 'Date', format: 'nothing' }]), [])).toThrow(TypeError);
  });
});

describe('rows that are too large', () => {
  const long = 'x'.repeat(MIB + 10);

  it.each([
    ['a value', `1,${long},3`, `1,${long}`],
    ['a value between quotes', `1,"${'x\n'.repeat(MIB)}",3`, `1,"${'x\n'.repeat(MIB)}`],
    ['a value with quotes in it', `1,"${'x""'.repeat(MIB)}\n",3`, `1,"${'x""'.repeat(MIB)}`],
    ['many values', `"a\nb",${'xy,'.repeat(MIB / 2)}`, `"a\nb",${'xy,'.repeat(MIB / 2)}`],
  ])('are rejected with the start of their text, and the other rows are read: %s', (_, record, beginning) => {
    const bytes = Buffer.from(`1,2,3\n${record}\n4,5,6\n`);
    const rows = readStreamedRows(aSchema(THREE), splitBytes(bytes, 100_000));
    expect(rows.map(({ row, values }) => [row, values])).toEqual([
      [1, THREE.map((_, at) => `${at + 1}`)],
      [2, undefined],
      [3, ['4', '5', '6']],
    ]);
    expect(rows[1]?.reason).toBe('row 2: the row has more than 1,048,576 characters');
    expect(rows[1]?.record === beginning.slice(0, MIB)).toBe(true);
    expect(readStreamedRows(aSchema(THREE), [bytes]).map(({ reason }) => reason)).toEqual(reasonsOf(rows));
  });

  it('include rows with more than 4,096 values', () => {
    const rows = textRows(`1,2,3\n${'x,'.repeat(4_096)}\n4,5,6\n`);
    expect(reasonsOf(rows)).toEqual([undefined, 'row 2: the row has more than 4,096 values', undefined]);
  });

  it('do not include a row of exactly 1 MiB', () => {
    const record = `1,${'x'.repeat(MIB - 5)},3\n`;
    expect(record).toHaveLength(MIB);
    const rows = readStreamedRows(aSchema(THREE), splitBytes(Buffer.from(`${record}4,5,6`), 90_000));
    expect(reasonsOf(rows)).toEqual([undefined, undefined]);
  });
});

describe('an unclosed quote', () => {
  const OPEN = 'an opening quote has no closing quote, so the service cannot read the rest of the file';

  it.each([
    ['soon before the end', '4,5,6\n'],
    ['long before the end', '4,5,6\n'.repeat(MIB / 3)],
  ])('ends the reading after the complete rows: %s', (_, rest) => {
    const text = `1,2,3\n4,"5,6\n${rest}`;
    const rows = readStreamedRows(aSchema(THREE), splitBytes(Buffer.from(text), 250_000));
    expect(rows.map(({ row, reason }) => [row, reason])).toEqual([
      [1, undefined],
      [2, `row 2: ${OPEN}`],
    ]);
    expect(rows[1]?.record?.startsWith('4,"5,6\n4,5,6')).toBe(true);
  });

  it('does not store invalid bytes after it', () => {
    const rows: number[] = [];
    const file = new CsvRowStream(aSchema(THREE), { accept: () => undefined, reject: (row) => rows.push(row) });
    file.read(Buffer.from('1,2,3\n4,"'));
    const lines = Buffer.from('\0\n'.repeat(MIB / 2));
    const before = heap();
    for (let mebibyte = 0; mebibyte < atScale(3, 100); mebibyte++) file.read(lines);
    expect((heap() - before) / MIB).toBeLessThan(50);
    file.end();
    expect(rows).toEqual([2]);
  });

  it('is text if blanks precede it', () => {
    const text = `1, "2,3\n${'4,5,6\n'.repeat(MIB / 3)}`;
    const rows = readStreamedRows(aSchema(THREE), splitBytes(Buffer.from(text), 250_000));
    expect([rows.length, rows[0]?.values]).toEqual([1 + Math.floor(MIB / 3), ['1', ' "2', '3']]);
  });

  it('includes a quote whose closing quote is more than 1 MiB away', () => {
    const bytes = Buffer.from(`1, "2,3\n${'4,5,6\n'.repeat(MIB / 5)}7,8 ",9\n`);
    const atOnce = readStreamedRows(aSchema(THREE), [bytes]);
    expect([atOnce.length, atOnce.at(-1)?.values]).toEqual([2 + Math.floor(MIB / 5), ['7', '8 "', '9']]);
    expect(readStreamedRows(aSchema(THREE), splitBytes(bytes, 250_000)).length).toBe(atOnce.length);
  });
});
