import { describe, expect, it } from 'vitest';
import { RecordConverter } from '../../../src/tables/records/convert-record.js';
import { parseJsonDouble, parseJsonInteger } from '../../../src/tables/records/json-value.js';
import { SchemaEvolution, schemaOfTap } from '../../../src/tables/records/record-schema.js';
import { splitRecordFields } from '../../../src/tables/records/split-record-fields.js';
import type { TableSchema } from '../../../src/tables/table-schema.js';

const NONE: TableSchema = { fields: [] };

function survey(schema: TableSchema, ...lines: string[]): TableSchema {
  const survey = new SchemaEvolution(schema);
  for (const line of lines) survey.observe(splitRecordFields(line));
  return survey.result();
}

const typesOf = ({ fields }: TableSchema) => Object.fromEntries(fields.map(({ name, type }) => [name, type]));

const DECLARED = schemaOfTap({
  properties: {
    id: { type: 'integer' },
    amount: { type: ['number', 'null'] },
    on: { type: 'string', format: 'date' },
    at: { type: 'string', format: 'date-time' },
    name: { type: 'string', format: 'email' },
    any: {},
    either: { type: ['string', 'integer'] },
    list: { type: 'array' },
    _batch: { type: 'string' },
    ID: { type: 'string' },
  },
});

function rowOf(schema: TableSchema, line: string) {
  const row = new RecordConverter(schema).convert(splitRecordFields(line));
  if ('reason' in row) return row.reason;
  return Object.fromEntries(
    schema.fields.flatMap(({ name }, at) => (row.values[at] === null ? [] : [[name, row.values[at]]])),
  );
}

describe('the columns of a table of records', () => {
  it('are the columns of the tap definition', () => {
    expect(typesOf(DECLARED)).toEqual({
      ...{ id: 'Integer', amount: 'Double', on: 'Date', at: 'DateTimeOffset', name: 'String' },
      ...{ any: 'JSON', either: 'JSON', list: 'JSON' },
    });
  });

  it('include new fields of records, with types by the kinds of their values', () => {
    const lines = [
      '{"i":1,"d":1,"s":"","b":true,"o":{},"m":1,"big":1}',
      '{"d":1.5,"m":"x","z":null,"big":9223372036854775808}',
    ];
    expect(typesOf(survey(NONE, ...lines, '{"exact":0.123456789012345678}'))).toEqual({
      ...{ i: 'Integer', d: 'Double', s: 'String', b: 'Boolean', o: 'JSON', m: 'JSON', big: 'JSON', exact: 'JSON' },
    });
  });

  it('are determined without parsing long numbers', () => {
    const long = `1${'0'.repeat(200_000)}1`;
    expect([parseJsonDouble(long), parseJsonDouble(`0.${long}`), parseJsonInteger(long)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(typesOf(survey(NONE, `{"n":${long}}`))).toEqual({ n: 'JSON' });
  });

  it.each([
    ['12345678901234567', true],
    ['123456789012345678', false],
    ['-0.00012345678901234567000', true],
    ['100000000000000000001', false],
    [`1${'0'.repeat(308)}`, true],
    [`1${'0'.repeat(309)}`, false],
    [`0.${'0'.repeat(323)}5`, true],
    ['0.000', true],
    [`1.${'0'.repeat(500)}`, false],
    ['1e999', false],
    ['1.7976931348623157E+308', true],
  ])('are Double only if a Double represents the number exactly: case %#', (text, isDouble) => {
    expect(parseJsonDouble(text)).toBe(isDouble ? text : undefined);
  });

  it('do not change without new fields', () => {
    expect(survey(DECLARED, '{"id":"no integer","z":null}')).toBe(DECLARED);
  });

  it('have unique names; other fields go into _extra', () => {
    const schema = survey(DECLARED, '{"NAME":1,"_row":2,"_extra":3,"":4,"new":5}');
    expect(schema.fields.slice(DECLARED.fields.length)).toEqual([
      { name: 'new', type: 'Integer' },
      { name: '_extra', type: 'JSON' },
    ]);
    const row = rowOf(schema, '{"NAME":1,"_row":2,"_extra":3,"":4.50,"new":5,"NAME":6,"gone":null}');
    expect(row).toEqual({ new: '5', _extra: '{"NAME":6,"_row":2,"_extra":3,"":4.50,"gone":null}' });
  });

  it('number at most 1,000', () => {
    const record = Object.fromEntries(Array.from({ length: 1_001 }, (_, nth) => [`c${nth}`, nth]));
    const { fields } = survey(NONE, JSON.stringify(record));
    expect([fields.length, fields.at(-1)]).toEqual([1_001, { name: '_extra', type: 'JSON' }]);
  });
});

describe('a row of a record', () => {
  it('accepts decimals as numbers or strings', () => {
    const schema: TableSchema = { fields: [{ name: 'price', type: 'Decimal', scale: 2 }] };
    const prices = ['19.90', '"19.90"', '"1,990"', '"a"', 'true'].map((price) => rowOf(schema, `{"price":${price}}`));
    const misfit = (price: string) => `column "price": ${price} does not fit Decimal`;
    expect(prices).toEqual([{ price: '19.90' }, { price: '19.90' }, ...['"1,990"', '"a"', 'true'].map(misfit)]);
  });

  it('keeps all digits, and the last of several fields with the same name', () => {
    const line =
      '{"id":9223372036854775807,"amount":0.1,"on":"2026-01-31","at":"2026-01-31T12:00:00.5+02:00","any":1.10,"id":3.0,"name":"a\\nb"}';
    expect(rowOf(DECLARED, line)).toEqual({
      ...{ id: '3', amount: '0.1', on: '2026-01-31', at: expect.stringMatching(/^2026-01-31T12:00:00\.5/) },
      ...{ any: '1.10', name: 'a\nb' },
    });
  });

  it.each([
    ['{"id":9223372036854775808}', 'column "id": 9223372036854775808 does not fit Integer'],
    ['{"id":1.5}', 'column "id": 1.5 does not fit Integer'],
    ['{"id":"1"}', 'column "id": "1" does not fit Integer'],
    ['{"amount":0.123456789012345678}', 'column "amount": 0.123456789012345678 does not fit Double'],
    ['{"amount":1e400}', 'column "amount": 1e400 does not fit Double'],
    ['{"name":1}', 'column "name": 1 does not fit String'],
    ['{"name":"\\ud800"}', 'column "name": "\\ud800" does not fit String'],
    ['{"on":"2026-02-30"}', 'column "on": "2026-02-30" does not fit Date'],
    ['{"at":"2026-01-31T12:00:00"}', 'column "at": "2026-01-31T12:00:00" does not fit DateTimeOffset'],
  ])('rejects %s with a reason', (line, reason) => {
    expect(rowOf(DECLARED, line)).toBe(reason);
  });
});
