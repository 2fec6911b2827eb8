import { describe, expect, it } from 'vitest';
import { compileDatetimeFormat } from '../../../src/csv/formats/datetime-format.js';
import { INFERENCE_ROWS, inferColumns } from '../../../src/csv/inference/infer-columns.js';
import { createFieldReader } from '../../../src/csv/types/field-reader.js';
import { inferredColumn, repeatValues } from '../../support/csv/inferred-column.js';

const column = (name: string) => ({ name, type: 'String' as const, nullable: false });
const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index));

describe('null tokens', () => {
  it('are null if the other values have a type', () => {
    const { field, metadata } = inferredColumn(['5', 'NA', ' n/a ', 'NULL', '-', '\\N', '7']);
    expect(field).toEqual({
      name: 'value',
      type: 'Integer',
      nullable: true,
      nullTokens: ['null', 'na', 'n/a', '-', '\\n'],
    });
    expect(metadata.sampleSeen).toBe(2);
    expect(['NA', '', '5', '?'].map(createFieldReader(field) as (value: string) => unknown)).toEqual([
      null,
      null,
      '5',
      undefined,
    ]);
  });

  it("include '' in a typed column, with a doubt, and the publication loads it as null", () => {
    const { field, metadata } = inferredColumn([...repeatValues('1.5'), "''", " '' "]);
    expect(field).toMatchObject({ type: 'Decimal', nullable: true, nullTokens: ["''"] });
    expect(metadata).toMatchObject({
      confidence: 'medium',
      doubts: [`"''" occurs 2 times and is read as an empty value.`],
    });
    expect(["''", '1.5', "'", "'''"].map(createFieldReader(field) as (value: string) => unknown)).toEqual([
      null,
      '1.5',
      ...[undefined, undefined],
    ]);
  });

  it("leave '' as a string in a text column", () => {
    const { field } = inferredColumn(['a', "''", 'b']);
    expect(field).toEqual({ name: 'value', type: 'String', nullable: false });
    expect(createFieldReader(field)?.("''")).toBe("''");
  });

  it('are strings in a text column, and if there are no other values', () => {
    expect(inferredColumn(['NA', 'DE']).field).toEqual(column('value'));
    expect(inferredColumn(['NA', 'NA'])).toMatchObject({ field: column('value'), metadata: { confidence: 'low' } });
  });

  it('reduce the confidence if they are the majority', () => {
    expect(inferredColumn([...repeatValues('5'), ...repeatValues('NA')]).metadata.confidence).toBe('high');
    expect(inferredColumn([...repeatValues('5'), ...repeatValues('NA'), 'NA']).metadata.confidence).toBe('medium');
  });
});

describe('missing values', () => {
  it('make a column nullable, whether empty, blank or in a short row', () => {
    for (const missing of ['', '  ', undefined]) expect(inferredColumn(['5', missing]).field.nullable).toBe(true);
  });

  it('make a column without values a String with low confidence', () => {
    const expected = { field: { type: 'String', nullable: true }, metadata: { confidence: 'low', sampleSeen: 0 } };
    expect(inferredColumn(['', ''])).toMatchObject(expected);
  });
});

describe('confidence', () => {
  it.each([
    [29, 'low'],
    [30, 'medium'],
    [299, 'medium'],
    [300, 'high'],
  ])('after %i valid values is %s', (count, confidence) => {
    expect(inferredColumn(numbers(count)).metadata.confidence).toBe(confidence);
  });

  it.each(['zip', 'postCode', 'sku', 'ean', 'created_at', 'date'])('is low for integers named %s', (name) => {
    const { field, metadata } = inferredColumn(repeatValues('20240101'), { name });
    expect([field.type, metadata.confidence]).toEqual(['Integer', 'low']);
  });

  it('is not raised by a name', () => {
    expect(inferredColumn(repeatValues('soon'), { name: 'date' }).field.type).toBe('String');
  });

  it('is low for versions, which are strings because 1.10 is not 1.1', () => {
    const expected = { field: { type: 'String' }, metadata: { confidence: 'low', demoted: false } };
    expect(inferredColumn(repeatValues('1.9', '1.10'), { name: 'version' })).toMatchObject(expected);
  });
});

describe('a proposal', () => {
  it('decides between ambiguous formats, with low confidence', () => {
    const proposal = { type: 'Date', format: 'dd/MM/yyyy' } as const;
    const { field, metadata } = inferredColumn(repeatValues('01/02/2024'), { proposal });
    expect(field).toMatchObject({ type: 'Date', format: 'dd/MM/yyyy' });
    expect(metadata.confidence).toBe('low');
  });

  it('can make the comma a decimal separator', () => {
    const { field } = inferredColumn(['1,234'], { proposal: { type: 'Decimal', decimalSeparator: ',' } });
    expect(field).toMatchObject({ type: 'Decimal', decimalSeparator: ',', precision: 4, scale: 3 });
  });

  it('can make numbers a String', () => {
    const { field, metadata } = inferredColumn(repeatValues('12345'), { proposal: { type: 'String' } });
    expect([field.type, metadata.confidence, metadata.demoted]).toEqual(['String', 'high', false]);
  });

  it.each([
    [repeatValues('2024-01-31'), { type: 'Date', format: 'dd.MM.yyyy' }, 'Date'],
    [['1', '2.5'], { type: 'Integer' }, 'Decimal'],
    [['12345678901234567890'], { type: 'Double' }, 'Decimal'],
    [['Ann', 'Bob'], { type: 'Integer' }, 'String'],
  ] as const)('that does not fit %j is ignored', (values, proposal, type) => {
    const { field, metadata } = inferredColumn(values, { proposal });
    expect([field.type, metadata.demoted]).toEqual([type, false]);
  });

  it.each([
    { type: 'Money' },
    { type: 'constructor' },
    { type: 'Date', format: 'QQQ' },
    { type: 'Date', format: 'HH:mm' },
    { type: 'Integer', groupSeparator: '#' },
    { type: 'Decimal', unit: '@' },
    { type: 'Boolean', booleans: ['a', 'a'] },
  ])('such as %j is ignored as invalid', (proposal) => {
    expect(inferredColumn(['5', '6'], { proposal: proposal as never }).field.type).toBe('Integer');
  });

  it('is read only from own properties', () => {
    const names = ['__proto__', 'constructor', 'toString'];
    const { fields } = inferColumns(names.map(column), [['1', '2', '3']]);
    expect(fields.map(({ name, type }) => [name, type])).toEqual(names.map((name) => [name, 'Integer']));
  });
});

describe('rows', () => {
  it('may be longer than the header', () => {
    expect(inferColumns([column('a')], [['1', 'surplus']]).fields).toHaveLength(1);
  });

  it('are read up to the sample size', () => {
    let read = 0;
    function* rows() {
      for (;;) yield [read++ < INFERENCE_ROWS ? '1' : 'x'];
    }
    const { columnMetadata } = inferColumns([column('a')], rows());
    expect([columnMetadata[0]?.sampleSeen, read]).toEqual([INFERENCE_ROWS, INFERENCE_ROWS]);
  });
});

describe('long values', () => {
  it('of 1 MiB are String or JSON', () => {
    const long = '1'.repeat(1024 * 1024);
    expect(inferredColumn([long]).field.type).toBe('String');
    expect(inferredColumn([`[${long}]`]).field.type).toBe('JSON');
    expect(inferredColumn(['['.repeat(1024 * 1024)]).field.type).toBe('String');
  });
});

describe('values over 256 characters', () => {
  it('are not numbers', () => {
    const read = createFieldReader({ name: 'value', type: 'Double', nullable: false });
    expect([read?.(`0.${'0'.repeat(200)}1`), read?.(`0.${'0'.repeat(260)}1`)]).toEqual([expect.any(String), undefined]);
  });
});

describe('a format', () => {
  it.each([
    '',
    'yyyy',
    'yyyy-MM',
    'yyyy-MM-dd-dd',
    'HH',
    'hh:mm',
    'HH:mm a',
    'HH:mm:ssSSS',
    'HH:mmXXX',
    "'T",
    'yyyyyy-MM-dd',
  ])('%j is invalid', (format) => {
    expect(compileDatetimeFormat(format)).toBeUndefined();
  });
});
