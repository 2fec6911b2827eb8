import { describe, expect, it } from 'vitest';
import type { DataSchema } from '../../../src/csv/model/data-schema.js';
import type { GivenField } from '../../../src/csv/types/change-fields.js';
import { checkColumns } from '../../../src/tables/publications/check-columns.js';
import { aSchema, readStreamedRows } from '../../support/csv/streamed-rows.js';

const fileSchema = (...columns: string[]): DataSchema => aSchema(columns, { header: true });

function check(text: string, columns: GivenField[], { isWhole = true } = {}) {
  const bytes = Buffer.from(text);
  const schema = fileSchema(...(text.split('\n', 1)[0] as string).split(','));
  return checkColumns({ bytes, isWhole, schema, columns });
}

function errorOf(text: string, columns: GivenField[]): unknown {
  try {
    return check(text, columns);
  } catch (error) {
    const { code, message } = error as Error & { code: string };
    return `${code}: ${message}`;
  }
}

const DAYS = 'id,day\n1,31/01/2024\n2,tbd\n\n3,"tbd"\n4,31/02/2024\n5,\n';

describe('a check of a column', () => {
  it('counts the values that do not fit, and shows different ones with their first line', () => {
    const { columns, ...result } = check(DAYS, [{ name: 'day', type: 'Date', format: 'dd/MM/yyyy', nullable: false }]);
    expect(result).toEqual({ rows: 5, rejectedRows: 4, isWholeFile: true });
    expect(columns).toEqual([
      {
        column: { name: 'day', type: 'Date', format: 'dd/MM/yyyy', nullable: false },
        failed: 4,
        examples: [
          { row: 2, line: 3, value: 'tbd', reason: '"tbd" is not a date (dd/MM/yyyy)' },
          { row: 4, line: 6, value: '31/02/2024', reason: '"31/02/2024" is not a date (dd/MM/yyyy)' },
          { row: 5, line: 7, value: '', reason: 'the value is missing' },
        ],
      },
    ]);
  });

  it('reads null tokens in any case as missing values', () => {
    const day: GivenField = { name: 'day', type: 'Date', format: 'dd/MM/yyyy', nullTokens: ['tbd'] };
    const { columns, rejectedRows } = check(DAYS.replace('tbd', 'TBD'), [day]);
    expect([rejectedRows, columns[0]?.column]).toEqual([1, { ...day, nullable: true }]);
  });

  it('shows at most 5 values, each with at most 64 characters', () => {
    const values = Array.from({ length: 9 }, (_, at) => `${at}${'x'.repeat(99)}`);
    const [column] = check(`a,b\n${values.map((value) => `1,${value}\n`).join('')}`, [
      { name: 'b', type: 'Integer' },
    ]).columns;
    expect(column?.failed).toBe(9);
    expect(column?.examples.map(({ value }) => value)).toEqual(values.slice(0, 5).map((value) => value.slice(0, 64)));
  });

  it('counts each value of a row that does not fit, and the row once', () => {
    const columns: GivenField[] = [
      { name: 'a', type: 'Integer' },
      { name: 'b', type: 'UUID' },
    ];
    const result = check('a,b\nx,y\n', columns);
    expect([result.rejectedRows, result.columns.map(({ failed }) => failed)]).toEqual([1, [1, 1]]);
  });

  it('reports unchanged columns only if values do not fit', () => {
    const bytes = Buffer.from('a,b,c\n1,2,x\nx,3,y\n');
    const schema = fileSchema('a', 'b', 'c');
    const fields = schema.fields.map(
      (field) => ({ ...field, type: field.name === 'c' ? 'String' : 'Integer' }) as const,
    );
    const { columns } = checkColumns({ bytes, isWhole: true, schema: { ...schema, fields }, columns: [] });
    expect(columns.map(({ column, failed }) => [column.name, failed])).toEqual([['a', 1]]);
  });

  it('rejects the rows that the reader of a publication rejects', () => {
    const text = 'a,b\n1,2\n1,2,3\na,b\n\0,1\n\xff,2\n4\nx,5\n"6\n7",8\nSource: me\n';
    const bytes = Buffer.from(text, 'latin1');
    const schema = fileSchema('a', 'b');
    const { rows, rejectedRows } = checkColumns({ bytes, isWhole: true, schema, columns: [] });
    const expected = readStreamedRows(schema, [bytes]);
    expect([rows, rejectedRows]).toEqual([expected.length, expected.filter(({ reason }) => reason).length]);
    expect(rejectedRows).toBeGreaterThan(3);
  });

  it('rejects values that the table cannot hold exactly', () => {
    const price: GivenField = { name: 'price', type: 'Decimal', scale: 2 };
    const [column] = check('id,price\n1,1.25\n2,1.375\n', [price]).columns;
    expect(column?.examples.map(({ reason }) => reason)).toEqual([
      '"1.375" does not fit Decimal (38 digits, 2 decimal places)',
    ]);
  });

  it('rejects a file that a publication cannot read as a table', () => {
    expect(errorOf('a,b\n1,2\n1,2,3\n1,2,3\n', [])).toMatch(/^WA-AF-011: /);
  });

  it('ignores the last row of a part of the file, because its end may be missing', () => {
    expect(check('a,b\n1,2\n3,x', [{ name: 'b', type: 'Integer' }], { isWhole: false })).toMatchObject({
      ...{ rows: 1, rejectedRows: 0, isWholeFile: false },
    });
  });
});

describe('the type of a column', () => {
  const completed = (values: string[], given: Omit<GivenField, 'name'>) =>
    check(`id,v\n${values.map((value) => `1,"${value}"\n`).join('')}`, [{ name: 'v', ...given }]).columns[0]?.column;

  it.each<[string, string[], Omit<GivenField, 'name'>, object]>([
    ['format of dates', ['13.01.2024', '31.12.2024'], { type: 'Date' }, { format: 'dd.MM.yyyy' }],
    ['language of months', ['1. Mai 2024', '2. Dezember 2024'], { type: 'Date' }, { language: 'de' }],
    [
      'separators and scale',
      ['1.250,50', '3,125'],
      { type: 'Decimal' },
      { decimalSeparator: ',', precision: 7, scale: 3 },
    ],
    ['unit', ['5 %', '7 %'], { type: 'Decimal' }, { unit: '%' }],
    ['null tokens', ['5', 'NA', '7'], { type: 'Integer' }, { nullable: true, nullTokens: ['na'] }],
    ['missing values', ['5', '', '7'], { type: 'Integer' }, { nullable: true }],
    ['a given scale', ['1.5', '10.25'], { type: 'Decimal', scale: 4 }, { precision: 6, scale: 4 }],
    ['text', ['5', 'NA'], { type: 'String' }, { nullable: false }],
  ])('is completed with the values: %s', (_, values, given, expected) => {
    expect(completed(values, given)).toMatchObject({ type: given.type, ...expected });
  });

  it.each<[string, string[], GivenField[], RegExp]>([
    ['an unknown column', ['1'], [{ name: 'x', type: 'Integer' }], /"x" does not exist/],
    [
      'a repeated column',
      ['1'],
      [
        { name: 'v', type: 'Integer' },
        { name: 'v', type: 'String' },
      ],
      /occurs more than once/,
    ],
    [
      'dates in several formats',
      ['01/02/2024'],
      [{ name: 'v', type: 'Date' }],
      /several .*dd\/MM\/yyyy and MM\/dd\/yyyy.*`format`/,
    ],
    ['dates in no known format', ['soon'], [{ name: 'v', type: 'Date' }], /no known format.*`format`/],
    ['a format without a month', ['2024'], [{ name: 'v', type: 'Date', format: 'yyyy' }], /"v".*`format`/],
    ['a format of another type', ['1'], [{ name: 'v', type: 'Date', format: 'HH:mm' }], /"v".*`format`/],
    ['an unknown unit', ['1'], [{ name: 'v', type: 'Decimal', unit: '@' }], /"v".*`unit`/],
    ['a property of another type', ['1'], [{ name: 'v', type: 'Integer', format: 'dd' }], /`format` does not apply/],
  ])('is rejected with WA-AF-031: %s', (_, values, columns, message) => {
    const error = errorOf(`id,v\n${values.map((value) => `1,${value}\n`).join('')}`, columns);
    expect(error).toMatch(/^WA-AF-031: Column "/);
    expect(error).toMatch(message);
  });
});
