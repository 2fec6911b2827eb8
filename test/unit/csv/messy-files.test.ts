import { describe, expect, it } from 'vitest';
import { inferSchema } from '../../../src/csv/infer-schema.js';
import type { InferredSchema } from '../../../src/csv/model/data-schema.js';
import { WHOLE_FILE } from '../../support/csv/csv-fault.js';

const infer = (...lines: string[]): InferredSchema => inferSchema(Buffer.from(`${lines.join('\n')}\n`), WHOLE_FILE);
const typesOf = (...lines: string[]) =>
  Object.fromEntries(infer(...lines).schema.fields.map(({ name, type }) => [name, type]));
const repeat = (times: number, line: (row: number) => string) => Array.from({ length: times }, (_, row) => line(row));

const TABLE = ['id,name,amount', '1,ann,2.5', '2,bob,3.5', '3,cid,4.5', '4,dan,5.5', '5,eve,6.5', '6,fay,7.5'];
const TABLE_TYPES = { id: 'Integer', name: 'String', amount: 'Decimal' };

describe('a title directly above the header', () => {
  it.each([
    ['Report, 2024', TABLE],
    ['Summary,', ['id,name', '1,ann', '2,bob', '3,cid']],
    ['Meetings,,,,,', ['id,day,room,from,to,people', '1,2024-01-31,A,09:00,10:00,4', '2,2024-02-01,B,10:00,11:30,7']],
    ['A remark, with more commas, than the table, has columns', TABLE],
  ])('is skipped and named: %s', (title, table) => {
    const { schema, structure } = infer(title, ...table);
    expect(schema.dialect).toMatchObject({ delimiter: ',', skipLines: 1, header: true });
    expect(schema.fields.map(({ name }) => name)).toEqual(table[0]?.split(','));
    expect(structure).toMatchObject({ rows: table.length - 1, skippedLines: 1, longRows: 0 });
    expect(structure.evidence).toEqual([`The service skipped 1 line above the header (${JSON.stringify(title)}).`]);
  });
});

describe('records that are not rows', () => {
  it('include five footnotes, which are named and do not determine the types', () => {
    const notes = ['Source: city council', 'a) estimate', 'b) revised', 'c) preliminary', 'As of 2024'];
    const { structure } = infer(...TABLE, '', ...notes);
    expect(structure).toMatchObject({ rows: 6, remarks: 5 });
    expect(structure.evidence).toEqual([
      'The service left out 5 remarks below the table: lines 9, 10, 11, 12, 13 ("Source: city council").',
    ]);
    expect(typesOf(...TABLE, '', ...notes)).toEqual(TABLE_TYPES);
  });

  it('include the headers of concatenated files', () => {
    const [header = '', ...rows] = TABLE;
    const lines = [header, ...rows, header, ...rows, header, ...rows];
    expect(infer(...lines).structure).toMatchObject({ rows: 18, repeatedHeaders: 2 });
    expect(typesOf(...lines)).toEqual(TABLE_TYPES);
  });
});

describe('cells', () => {
  it('may be blank where a value continues from the row above', () => {
    const { schema, structure } = infer(
      'region,city,n',
      'North,Oslo,1',
      ',Bergen,2',
      ',Narvik,3',
      'South,Rome,4',
      ',Bari,5',
    );
    expect(schema.fields.map(({ name, type, nullable }) => [name, type, nullable])).toEqual([
      ['region', 'String', true],
      ['city', 'String', false],
      ['n', 'Integer', false],
    ]);
    expect(structure).toMatchObject({ rows: 5, remarks: 0, evidence: [] });
  });

  it('may be aligned with runs of blanks', () => {
    const lines = ['id    carat  cut', ...repeat(12, (row) => `${String(row).padEnd(6)}0.${row}    Ideal`)];
    expect(typesOf(...lines)).toEqual({ id: 'Integer', carat: 'Decimal', cut: 'String' });
    expect(infer(...lines).schema.dialect).toMatchObject({ delimiter: ' ', skipInitialSpace: true });
  });

  it('may contain lists, which do not determine the delimiter', () => {
    const lines = ['id,colours,city', ...repeat(8, (row) => `${row},blue|red|green|grey|white,Oslo`)];
    expect(infer(...lines).schema.dialect.delimiter).toBe(',');
    expect(typesOf(...lines)).toEqual({ id: 'Integer', colours: 'String', city: 'String' });
  });
});

describe('the type of a column', () => {
  it('is not read from the exponent of a part number', () => {
    expect(typesOf('part,n', '1203,1', '12E4,2', '1188,3', '12E5,4')).toEqual({ part: 'String', n: 'Integer' });
  });

  it('follows the decimal comma of another column', () => {
    const { schema, columnMetadata } = infer('price;people', '1.234,50;83.019', '7,25;1.250', '980,00;12.004');
    expect(schema.fields).toMatchObject([
      { type: 'Decimal', decimalSeparator: ',', groupSeparator: '.', scale: 2 },
      { type: 'Integer', groupSeparator: '.' },
    ]);
    expect(columnMetadata[1]?.doubts[0]).toBe(
      'The separator in "83.019" may separate thousands or decimals, because the values fit both meanings equally. The column "price" has decimal commas.',
    );
  });

  it('is String for the country code NO, for durations, and for telephone and account numbers', () => {
    const lines = [
      'land,duration,phone,account,due',
      ...repeat(30, (row) => `NO,03:${10 + row},41555526${10 + row},53232${10 + row},03:15`),
    ];
    expect(typesOf(...lines)).toEqual({
      ...{ land: 'String', duration: 'String', phone: 'String', account: 'String' },
      due: 'Time',
    });
  });

  it('is String for dates of birth with two-digit years, and Date for other dates', () => {
    const lines = ['birth date,hired', ...repeat(30, (row) => `${10 + (row % 18)}.01.24,${13 + (row % 15)}.01.24`)];
    expect(typesOf(...lines)).toEqual({ 'birth date': 'String', hired: 'Date' });
  });

  it.each(['NR', 'k.A.', '#DIV/0!'])('ignores %s, a missing value that is repeated', (token) => {
    const lines = ['id,n', ...repeat(12, (row) => `${row},${row % 3 ? row : token}`)];
    const { schema } = infer(...lines);
    expect(schema.fields[1]).toMatchObject({ type: 'Integer', nullable: true, nullTokens: [token.toLowerCase()] });
  });
});

describe('the evidence', () => {
  it('names both readings of dates that fit day first and month first', () => {
    const { columnMetadata } = infer(
      'day,n',
      ...repeat(40, (row) => `0${1 + (row % 9)}/0${1 + (row % 7)}/2024,${row}`),
    );
    expect(columnMetadata[0]).toMatchObject({ confidence: 'low' });
    expect(columnMetadata[0]?.doubts).toContain('All 40 values fit both dd/MM/yyyy and MM/dd/yyyy.');
  });
});
