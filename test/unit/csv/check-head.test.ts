import { describe, expect, it } from 'vitest';
import { checkHead } from '../../../src/csv/check-head.js';
import { HEAD_BYTES, MAX_HEAD_BYTES } from '../../../src/csv/model/csv-limits.js';
import type { CsvHead } from '../../../src/csv/model/data-schema.js';
import { readCsvTable } from '../../../src/csv/read-csv-table.js';
import { csvFaultOf, TRUNCATED_FILE, WHOLE_FILE } from '../../support/csv/csv-fault.js';

function check(text: string, reading = WHOLE_FILE): CsvHead {
  const head = checkHead(Buffer.from(text), reading);
  if (head === 'more') throw new Error('checkHead needs more bytes');
  return head;
}

const namesOf = (text: string) => check(text).schema.fields.map(({ name }) => name);
const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => `${index},x${index}\n`).join('');

describe('checkHead', () => {
  it('returns the dialect, the columns and the rows, all as text', () => {
    const usual = { type: 'String', nullable: false };
    expect(check('id; name \n01;Ann\n02;"B;b"\n')).toEqual({
      schema: {
        dialect: {
          ...{ encoding: 'utf-8', delimiter: ';', quote: '"', escape: '"', skipLines: 0, header: true, comment: null },
        },
        fields: [
          { name: 'id', ...usual },
          { name: 'name', title: ' name ', ...usual },
        ],
      },
      sampleRows: [
        { id: '01', name: 'Ann' },
        { id: '02', name: 'B;b' },
      ],
    });
  });

  it('returns the first 20 rows without an incomplete last line', () => {
    expect(check(`id,name\n${rowsOf(30)}`).sampleRows).toHaveLength(20);
    expect(check('id,name\n1,a\n2,b', TRUNCATED_FILE).sampleRows).toEqual([{ id: '1', name: 'a' }]);
  });

  it('accepts column names of object members without changing a prototype', () => {
    const before = Reflect.ownKeys(Object.prototype);
    const [row] = check('__proto__,constructor\n1,2\n').sampleRows;
    expect(Object.entries(row ?? {})).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ]);
    expect(Reflect.ownKeys(Object.prototype)).toEqual(before);
  });

  it('accepts a header without rows, and rows without a header', () => {
    expect(check('id,name\n').sampleRows).toEqual([]);
    expect(namesOf('1,a\n2,b\n')).toEqual(['column_1', 'column_2']);
  });

  it('rejects a table without any values', () => {
    expect(csvFaultOf(() => check(',,\n,,\n'))).toBe('006');
  });

  it('returns null for the missing values of short rows', () => {
    const { sampleRows } = check(`a,b\n1\n2,x,\n${rowsOf(30)}`);
    expect(sampleRows.slice(0, 2)).toEqual([
      { a: '1', b: null },
      { a: '2', b: 'x' },
    ]);
  });

  it('leaves out rows with excess values, repeated headers and remarks below the table', () => {
    const text = 'id,name,sum\n1,a,2\n2,b,3,4\nid,name,sum\n3,c,4\n4,d,5\n5,e,6\nTotal: 2\nx\ny\nz\n';
    expect(check(text).sampleRows.map(({ id }) => id)).toEqual(['1', '3', '4', '5', 'Total: 2', 'x', 'y', 'z']);
    expect(check(`${text.slice(0, -4)}`).sampleRows.map(({ id }) => id)).toEqual(['1', '3', '4', '5']);
  });

  it('accepts uneven rows', () => {
    expect(check(`a,b,c\n${'1,2\n'.repeat(9)}1,2,3\n`).sampleRows).toHaveLength(10);
    expect(check(`a,b,c\n${'1,2,3\n'.repeat(6)}${'1,2,3,4\n'.repeat(5)}`).sampleRows).toHaveLength(6);
  });

  it('rejects a file without a readable table, and names the first row that is too long', () => {
    const long = `a,b,c,d\n${'1,2\n'.repeat(9)}${[5, 6, 7, 8, 9, 10, 11, 12, 13, 14].map((width) => `${'1,'.repeat(width)}1\n`).join('')}`;
    expect(csvFaultOf(() => check(long))).toBe('011');
    expect(() => check(long)).toThrow('line 11 and has 6 values');
  });

  it('drops columns at the end without a title or a value', () => {
    expect(check('id,name,sum\n\n1,a,2\n\n2,b,3\n').sampleRows).toHaveLength(2);
    expect(namesOf('id,name\n1,a,\n2,b,\n')).toEqual(['id', 'name']);
    expect(namesOf('id,name,\n1,a\n2,b\n')).toEqual(['id', 'name']);
    expect(namesOf('id,name,,\n1,a,, \n2,b,,\n')).toEqual(['id', 'name']);
    expect(namesOf('id,name,,\n1,a,,\n2,b,x,\n')).toEqual(['id', 'name', 'column_3']);
  });

  it('names columns without titles if most rows have more values than the header', () => {
    expect(namesOf('id,day,n\n1,x,5,7,a\n2,x,6,8,b\n3,z,7,9,c\n')).toEqual([
      ...['id', 'day', 'n', 'column_4', 'column_5'],
    ]);
  });

  it('drops an empty title if the rows have one value less', () => {
    expect(namesOf(',id,name\n1,a\n2,b\n3,c\n')).toEqual(['id', 'name']);
  });

  it('reads a first column without a title as row names', () => {
    expect(namesOf('mpg,cyl\nMazda,21,6\nDatsun,22,4\nHornet,18,6\n')).toEqual(['column_1', 'mpg', 'cyl']);
  });

  it('detects the dialect of lines that are longer than the head', () => {
    const line = (name: string) => Array.from({ length: 4_000 }, (_, index) => `${name.repeat(20)} ${index}`).join(';');
    const rows = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => line(`${letter}alue`));
    expect(namesOf([line('title'), ...rows].join('\n'))).toHaveLength(4_000);
    expect(checkHead(Buffer.from(line('title')).subarray(0, HEAD_BYTES), TRUNCATED_FILE)).toBe('more');
  });

  it('requests more bytes until the head contains a complete record or has the maximum size', () => {
    expect(checkHead(Buffer.alloc(HEAD_BYTES, 'x'), TRUNCATED_FILE)).toBe('more');
    expect(checkHead(Buffer.alloc(MAX_HEAD_BYTES - 1, 'x'), TRUNCATED_FILE)).toBe('more');
    expect(csvFaultOf(() => checkHead(Buffer.alloc(MAX_HEAD_BYTES, 'x'), TRUNCATED_FILE))).toBe('010');
    expect(checkHead(Buffer.from(`a,b\n"${'x'.repeat(HEAD_BYTES)}`).subarray(0, HEAD_BYTES), TRUNCATED_FILE)).toBe(
      'more',
    );
    expect(checkHead(Buffer.from(`a,b\n"${'x'.repeat(HEAD_BYTES)}",1\n2,3\n`), WHOLE_FILE)).toMatchObject({
      sampleRows: [{ b: '1' }, { b: '3' }],
    });
    expect(csvFaultOf(() => checkHead(Buffer.from(`"${'x\n'.repeat(MAX_HEAD_BYTES / 2)}`), TRUNCATED_FILE))).toBe(
      '009',
    );
  });
});

describe('readTable', () => {
  const dialectOf = (bytes: Buffer, reading = WHOLE_FILE) => {
    const table = readCsvTable(bytes, reading);
    return table === 'more' ? table : table.dialect;
  };

  it('detects the same dialect from the head and from more bytes', () => {
    const head = `id,name\n${rowsOf(30_000)}`;
    const all = Buffer.from(head + 'a;b;c\n'.repeat(100_000));
    expect(dialectOf(all)).toEqual(dialectOf(all.subarray(0, HEAD_BYTES), TRUNCATED_FILE));
  });

  it('detects the encoding from all bytes if the head is ASCII', () => {
    const bytes = Buffer.from(`id,name\n${rowsOf(30_000)}1,Fran\xe7ois aus M\xfcnchen\n`, 'latin1');
    expect(dialectOf(bytes)).toMatchObject({ encoding: 'windows-1252', delimiter: ',' });
    expect(dialectOf(bytes.subarray(0, HEAD_BYTES), TRUNCATED_FILE)).toMatchObject({
      encoding: 'utf-8',
      delimiter: ',',
    });
  });

  it('can be iterated repeatedly', () => {
    const table = readCsvTable(Buffer.from('a,b\n1,2\n'), WHOLE_FILE);
    if (table === 'more') throw new Error('checkHead needs more bytes');
    const rows = [{ line: 2, values: ['1', '2'] }];
    expect([[...table.records], [...table.records]]).toEqual([rows, rows]);
  });
});
