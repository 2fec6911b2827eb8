import { describe, expect, it } from 'vitest';
import { checkHead } from '../../../src/csv/check-head.js';
import { inferSchema } from '../../../src/csv/infer-schema.js';
import type { InferredSchema } from '../../../src/csv/model/data-schema.js';
import { CsvRowStream } from '../../../src/csv/stream-rows.js';
import { TRUNCATED_FILE, WHOLE_FILE } from '../../support/csv/csv-fault.js';
import { readStreamedRows, type StreamedRow, splitBytes } from '../../support/csv/streamed-rows.js';

const infer = (lines: readonly string[], reading = WHOLE_FILE): InferredSchema =>
  inferSchema(Buffer.from(`${lines.join('\n')}\n`), reading);
/** Returns the line at which the next table starts, and the number of rows of the first table. */
const tablesOf = (...lines: string[]) => {
  const { schema, structure } = infer(lines);
  return [schema.dialect.nextTableLine, structure.rows];
};

const CITIES = ['city,population', 'Rome,5', 'Oslo,3', 'Bern,1'];
const ORDERS = ['id,name,amount', '1,ann,2.5', '2,bob,3.5', '3,cid,4.5'];
const COUNTRIES = ['country,area', 'Italy,301', 'Norway,385'];

describe('another table below the first', () => {
  const LINES = [...ORDERS, '4,dan,5.5', 'Source: x', '', 'Areas', ...COUNTRIES, 'Chile,756'];

  it('is left out from its header on, with its line and header', () => {
    const { schema, structure, sampleRows, columnMetadata } = infer(LINES);
    expect(schema.dialect).toMatchObject({ header: true, skipLines: 0, nextTableLine: 9 });
    expect(schema.fields.map(({ name, type }) => [name, type])).toEqual([
      ['id', 'Integer'],
      ['name', 'String'],
      ['amount', 'Decimal'],
    ]);
    expect(structure).toMatchObject({ rows: 4, paddedRows: 0, remarks: 2, otherTableRows: 4 });
    expect(structure.evidence).toEqual([
      'The service left out 2 remarks below the table: lines 6, 8 ("Source: x").',
      'The service left out another table, which starts at line 9 ("country, area").',
    ]);
    expect([sampleRows.length, columnMetadata[0]?.sampleSeen]).toEqual([4, 4]);
  });

  it('is in the schema of the upload and of a part of the file', () => {
    const bytes = Buffer.from(`${LINES.join('\n')}\n`);
    const head = checkHead(bytes, WHOLE_FILE);
    expect(head).toMatchObject({ schema: { dialect: { nextTableLine: 9 } }, sampleRows: { length: 4 } });
    expect(infer(LINES, TRUNCATED_FILE).schema.dialect.nextTableLine).toBe(9);
  });

  it.each([
    ['read from bytes', true],
    ['read from texts', false],
  ])('becomes rejects of a publication, with the lines, in any chunks: %s', (_, readsPlainRows) => {
    const { schema } = infer(LINES);
    const bytes = Buffer.from(`${LINES.join('\r\n')}\r\n${'5,eve,6.5\r\n'.repeat(500)}`);
    const rows = readStreamedRows(schema, [bytes], { readsPlainRows });
    expect(rows.slice(0, 4).map(({ values }) => values?.[1])).toEqual(['ann', 'bob', 'cid', 'dan']);
    expect(rows.slice(4, 8).map(({ reason }) => reason)).toEqual([
      'row 5: the row is a remark below the table (line 6)',
      'row 6: the row is a remark below the table (line 8)',
      'row 7: the row belongs to another table (line 9)',
      'row 8: the row belongs to another table (line 10)',
    ]);
    expect(rows[7]?.record).toBe('Italy,301');
    expect([rows.length, rows.filter(({ values }) => values).length]).toEqual([510, 4]);
    const withoutPath = (all: readonly StreamedRow[]) => all.map(({ isPlain: _, ...row }) => row);
    const isSame = [1, 3, 50].map((size) => {
      const found = withoutPath(readStreamedRows(schema, splitBytes(bytes, size), { readsPlainRows }));
      return JSON.stringify(found) === JSON.stringify(withoutPath(rows));
    });
    expect(isSame).toEqual([true, true, true]);
  });

  it('does not decide whether the file is a readable table', () => {
    const { schema } = infer(LINES);
    const stream = new CsvRowStream(schema, { accept: () => undefined, reject: () => undefined });
    stream.read(Buffer.from(`${LINES.join('\n')}\n${'1,2,3,4\n'.repeat(100)}`));
    stream.end();
    expect(() => stream.requireReadable()).not.toThrow();
  });

  it.each<[string, [line: number, rows: number], string[]]>([
    ['after a blank line, of another width', [6, 3], [...ORDERS, '', ...COUNTRIES]],
    ['after a blank line, of the same width', [6, 3], [...CITIES, '', ...COUNTRIES]],
    ['after a title', [6, 3], [...ORDERS, 'Areas', ...COUNTRIES]],
    [
      'padded to the width of the first',
      [7, 3],
      [...ORDERS, ',,', 'Areas,,', 'country,area,', 'Italy,301,', 'Norway,385,'],
    ],
    [
      'after a blank line, of the same width and types',
      [6, 3],
      [...ORDERS, '', 'no,city,size', '7,Rome,1.5', '8,Oslo,2.5'],
    ],
    [
      'without a break, wider',
      [7, 5],
      [...CITIES, 'Lima,7', 'Riga,2', 'id,name,amount', '1,ann,2.5', '2,bob,3.5', '3,cid,4.5'],
    ],
    ['without a break, narrower', [5, 3], [...ORDERS, 'year,area', '2020,301', '2021,385', '2022,386']],
    ['with some of the titles', [5, 3], [...ORDERS, 'id,amount', '7,1.5', '8,2.5']],
    ['with further titles', [5, 3], [...ORDERS, 'id,name,amount,day', '7,eve,1.5,2024-01-01', '8,fay,2.5,2024-01-02']],
    ['with the titles in another order', [5, 3], [...ORDERS, 'name,id,amount', 'eve,7,1.5', 'fay,8,2.5']],
    ['above a third table', [6, 3], [...ORDERS, '', ...COUNTRIES, '', 'a,b,c,d', '1,2,3,4', '5,6,7,8']],
  ])('is detected %s', (_, expected, lines) => {
    expect(tablesOf(...lines)).toEqual(expected);
  });

  it('does not change the columns of the first', () => {
    const wide = Array.from({ length: 900 }, (_, row) => `${row},1,2,3,4`);
    const rows = Array.from({ length: 600 }, (_, row) => `${row},ann,2.5`);
    const { schema, structure } = infer(['id,name,amount', ...rows, '', 'a,b,c,d,e', ...wide]);
    expect(schema.fields.map(({ name }) => name)).toEqual(['id', 'name', 'amount']);
    expect(structure).toMatchObject({ rows: 600, otherTableRows: 901 });
  });
});

describe('rows of one table', () => {
  it.each<[string, string[]]>([
    ['a missing number after a blank line', [...CITIES, '', 'Kyiv,n/a', 'Lima,7', 'Riga,2']],
    ['a word among numbers', [...CITIES, 'Kyiv,unknown', 'Lima,7', 'Riga,2']],
    ['groups with a heading', ['name,score', 'Team A', 'Ann,5', 'Bob,6', 'Team B', 'Cid,absent', 'Dan,7', 'Eve,8']],
    ['groups between blank lines', ['name,score', 'Ann,5', '', 'Bob,6', '', 'Cid,absent', 'Dan,7', 'Eve,8']],
    ['short rows', ['a,b,c', '1,x,2', '2,y,3', '4,z', '5,w', '6,v,7', '8,u,9']],
    ['a repeated header', [...ORDERS, 'id,name,amount', '4,dan,5.5', '5,eve,6.5']],
    ['a repeated header in other letters', [...ORDERS, '', 'ID,Name,Amount', '4,dan,5.5', '5,eve,6.5']],
    ['remarks with a comma', [...ORDERS, '', 'Note, see below', 'Source, city council']],
    ['a table of words', ['name,city', 'Ann,Rome', 'Bob,Oslo', '', 'Cid,Bern', 'Dan,Lima']],
    ['one row below a total', [...ORDERS, '', 'total,all,many', '9,x,9.5']],
    ['names of columns as values', ['name,type', 'id,number', 'name,text', 'type,text', 'sum,number']],
  ])('are not divided by %s', (_, lines) => {
    expect(tablesOf(...lines)[0]).toBeUndefined();
  });

  it('are not divided in a file of uneven rows', () => {
    const rows = Array.from({ length: 300 }, (_, row) => ['a', row, 'x', 'y', row].slice(0, 2 + (row % 4)).join(','));
    expect(tablesOf('id,n,b,c,d', ...rows)[0]).toBeUndefined();
  });
});
