import { describe, expect, it } from 'vitest';
import { compileDatetimeFormat } from '../../../src/csv/formats/datetime-format.js';
import { INFERENCE_ROWS, inferColumns } from '../../../src/csv/inference/infer-columns.js';
import { createFieldReader } from '../../../src/csv/types/field-reader.js';
import { inferredColumn, repeatValues } from '../../support/csv/inferred-column.js';

const column = (name: string) => ({ name, type: 'String' as const, nullable: false });
const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index));

describe('null tokens', () => {
  it('are no values where the others have a type', () => {
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

  it('are texts among texts, and alone', () => {
    expect(inferredColumn(['NA', 'DE']).field).toEqual(column('value'));
    expect(inferredColumn(['NA', 'NA'])).toMatchObject({ field: column('value'), metadata: { confidence: 'low' } });
  });

  it('take confidence away where they are more than half', () => {
    expect(inferredColumn([...repeatValues('5'), ...repeatValues('NA')]).metadata.confidence).toBe('high');
    expect(inferredColumn([...repeatValues('5'), ...repeatValues('NA'), 'NA']).metadata.confidence).toBe('medium');
  });
});

describe('values that are missing', () => {
  it('make a column nullable, be they empty, blank, or of a short row', () => {
    for (const missing of ['', '  ', undefined]) expect(inferredColumn(['5', missing]).field.nullable).toBe(true);
  });

  it('leave a column without any a text, with low confidence', () => {
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
  ])('after %i clean values is %s', (count, confidence) => {
    expect(inferredColumn(numbers(count)).metadata.confidence).toBe(confidence);
  });

  it.each(['zip', 'postCode', 'Phone_1', 'sku', 'iban', 'created_at', 'date'])(
    'is low for integers named %s',
    (name) => {
      const { field, metadata } = inferredColumn(repeatValues('20240101'), { name });
      expect([field.type, metadata.confidence]).toEqual(['Integer', 'low']);
    },
  );

  it('never comes from a name', () => {
    expect(inferredColumn(repeatValues('soon'), { name: 'date' }).field.type).toBe('String');
  });

  it('in numbers that are called a version is none: 1.10 is not 1.1', () => {
    const expected = { field: { type: 'String' }, metadata: { confidence: 'low', demoted: false } };
    expect(inferredColumn(repeatValues('1.9', '1.10'), { name: 'version' })).toMatchObject(expected);
  });
});

describe('a proposal', () => {
  it('decides what the values leave open, but not with confidence', () => {
    const proposal = { type: 'Date', format: 'dd/MM/yyyy' } as const;
    const { field, metadata } = inferredColumn(repeatValues('01/02/2024'), { proposal });
    expect(field).toMatchObject({ type: 'Date', format: 'dd/MM/yyyy' });
    expect(metadata.confidence).toBe('low');
  });

  it('of a comma makes it a point', () => {
    const { field } = inferredColumn(['1,234'], { proposal: { type: 'Decimal', decimalSeparator: ',' } });
    expect(field).toMatchObject({ type: 'Decimal', decimalSeparator: ',', precision: 4, scale: 3 });
  });

  it('of a text keeps a text', () => {
    const { field, metadata } = inferredColumn(repeatValues('12345'), { proposal: { type: 'String' } });
    expect([field.type, metadata.confidence, metadata.demoted]).toEqual(['String', 'high', false]);
  });

  it.each([
    [repeatValues('2024-01-31'), { type: 'Date', format: 'dd.MM.yyyy' }, 'Date'],
    [['1', '2.5'], { type: 'Integer' }, 'Decimal'],
    [['12345678901234567890'], { type: 'Double' }, 'Decimal'],
    [['Ann', 'Bob'], { type: 'Integer' }, 'String'],
  ] as const)('that a value refuses leaves %j to the rules', (values, proposal, type) => {
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
  ])('of nonsense such as %j is passed over', (proposal) => {
    expect(inferredColumn(['5', '6'], { proposal: proposal as never }).field.type).toBe('Integer');
  });

  it('is looked for among own names only', () => {
    const names = ['__proto__', 'constructor', 'toString'];
    const { fields } = inferColumns(names.map(column), [['1', '2', '3']]);
    expect(fields.map(({ name, type }) => [name, type])).toEqual(names.map((name) => [name, 'Integer']));
  });
});

describe('rows', () => {
  it('may be longer than the header', () => {
    expect(inferColumns([column('a')], [['1', 'surplus']]).fields).toHaveLength(1);
  });

  it('are looked at up to a limit, and not asked for beyond', () => {
    let asked = 0;
    function* rows() {
      for (;;) yield [asked++ < INFERENCE_ROWS ? '1' : 'x'];
    }
    const { columnMetadata } = inferColumns([column('a')], rows());
    expect([columnMetadata[0]?.sampleSeen, asked]).toEqual([INFERENCE_ROWS, INFERENCE_ROWS]);
  });
});

describe('long values', () => {
  it('of one mebibyte are texts or JSON', () => {
    const long = '1'.repeat(1024 * 1024);
    expect(inferredColumn([long]).field.type).toBe('String');
    expect(inferredColumn([`[${long}]`]).field.type).toBe('JSON');
    expect(inferredColumn(['['.repeat(1024 * 1024)]).field.type).toBe('String');
  });
});

describe('values over 256 characters', () => {
  it('are no numbers, whatever their digits', () => {
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
  ])('%j cannot be', (format) => {
    expect(compileDatetimeFormat(format)).toBeUndefined();
  });
});
