import { describe, expect, it } from 'vitest';
import { inferColumns } from '../../../src/csv/inference/infer-columns.js';
import type { SchemaField } from '../../../src/csv/model/data-schema.js';
import { inferredColumn, repeatValues } from '../../support/csv/inferred-column.js';

const untyped = (name: string): SchemaField => ({ name, type: 'String', nullable: false });

/** Repeats the values of two columns, so that the confidence is high. */
function inferPair(a: readonly string[], b: readonly string[]) {
  const rows = repeatValues(...a.map((value, row) => [value, b[row] ?? '']));
  return inferColumns([untyped('a'), untyped('b')], rows);
}

describe('the doubts about a column', () => {
  it('are empty if the confidence is high', () => {
    expect(inferredColumn(repeatValues('1', '2')).metadata).toMatchObject({ confidence: 'high', doubts: [] });
    expect(inferredColumn(repeatValues('a', 'b')).metadata).toMatchObject({ confidence: 'high', doubts: [] });
  });

  it.each([
    [repeatValues('01/02/2024'), 'All 300 values fit both dd/MM/yyyy and MM/dd/yyyy.'],
    [
      repeatValues('13.01.24'),
      'The century is a guess: the service reads two-digit years up to 68 as 20xx, and all others as 19xx.',
    ],
    [repeatValues('13.01.24', '30.11.28'), 'The values also fit yy.MM.dd.'],
    [repeatValues('13.01.45'), 'The years 40 to 68 may be in the 20th or in the 21st century (300 of 300 values).'],
    [repeatValues('2024-01-01 10:00 EST'), 'The time zone EST is read as -05:00.'],
    [
      repeatValues('1,234'),
      'The separator in "1,234" may separate thousands or decimals, because the values fit both meanings equally.',
    ],
    [repeatValues('12E4'), '"12E4" may be a code, or a number with an exponent.'],
    [repeatValues('NO'), 'All values fit a boolean (no), but "yes" never occurs. "no" may be a code.'],
    [repeatValues('12 %'), 'The values are percentages: 12 % is 12, not 0.12.'],
    [repeatValues('EUR 5.00'), 'The unit EUR is not part of the values.'],
    [repeatValues('(5.00)', '6.00'), 'Numbers in parentheses are read as negative numbers.'],
    [repeatValues('1,5'), 'The comma is read as the decimal separator.'],
    [repeatValues('true', 'false', '1'), '"1" is read as true and "0" as false (number of such values: 300).'],
    [repeatValues('1', 'NR', '2'), '"NR" occurs 300 times and is read as a missing value.'],
    [
      ['1', '2'],
      'The sample has 2 values. Medium confidence requires 30 values, and high confidence requires 300 values.',
    ],
    [
      ['1', '2', 'NA'],
      'Apart from null tokens, the sample has 2 values. Medium confidence requires 30 values, and high confidence requires 300 values.',
    ],
    [['', 'NA'], 'The sample has no values.'],
    [[...repeatValues('5'), ...repeatValues('NA'), 'NA'], 'Most values are null tokens (301 of 601).'],
    [[...repeatValues('5'), 'x'], '1 of 301 values is not an integer. The other values fit.'],
  ])('give the reason and the other reading (%#)', (values, doubt) => {
    const { confidence, doubts } = inferredColumn(values).metadata;
    expect(doubts).toContain(doubt);
    expect(confidence).not.toBe('high');
  });
});

describe('the name of a column', () => {
  it.each([
    ['duration', '03:15'],
    ['Fahrzeit', '03:15'],
    ['phone', '4155552671'],
    ['Kontonummer', '5323204'],
    ['birth date', '13.01.24'],
    ['Geburtsdatum', '13.01.24'],
    ['country', 'yes'],
    ['version', '1.10'],
  ])('%s keeps %s as text, with the reason', (name, value) => {
    const { field, metadata } = inferredColumn(repeatValues(value), { name });
    expect([field.type, metadata.confidence]).toEqual(['String', 'low']);
    expect(metadata.doubts).toContainEqual(expect.stringMatching(/^The name of the column suggests /));
  });

  it.each([
    ['start', '03:15', 'Time'],
    ['phones', '12', 'Integer'],
    ['account', '1234.50', 'Decimal'],
    ['birth date', '13.01.1924', 'Date'],
  ])('%s does not change the type of %s', (name, value, type) => {
    expect(inferredColumn(repeatValues(value), { name }).field.type).toBe(type);
  });

  it('is ignored if a proposal sets the type', () => {
    const { field, metadata } = inferredColumn(repeatValues('4155552671'), {
      name: 'phone',
      proposal: { type: 'Integer' },
    });
    expect([field.type, metadata.confidence]).toEqual(['Integer', 'low']);
  });
});

describe('numbers with check digits', () => {
  /** Appends a check digit to each number, so that the weighted sum of all digits is a multiple of 10. */
  const withCheckDigit = (numbers: readonly number[], weights: Readonly<Record<string, string>>) =>
    numbers.map((number) => {
      const digits = [...String(number)]
        .reverse()
        .map((digit, at) => Number(at % 2 ? digit : (weights[digit] ?? digit)));
      return `${number}${(10 - (digits.reduce((sum, digit) => sum + digit, 0) % 10)) % 10}`;
    });
  const LUHN = { 1: '2', 2: '4', 3: '6', 4: '8', 5: '1', 6: '3', 7: '5', 8: '7' };
  const GTIN = { 1: '3', 2: '6', 3: '9', 4: '12', 5: '15', 6: '18', 7: '21', 8: '24', 9: '27' };
  const numbers = (count: number, first: number) => Array.from({ length: count }, (_, at) => first + at * 7_919);
  const companies = withCheckDigit(numbers(10, 24_010_088), LUHN);
  const products = withCheckDigit(numbers(10, 400_638_133_393), GTIN);

  it.each([
    ['Luhn', companies, '240100883'],
    ['GTIN', products, '4006381333931'],
  ])('are identifiers, with the reason (%s)', (scheme, values, published) => {
    expect(values).toContain(published);
    const { field, metadata } = inferredColumn(values);
    expect([field.type, metadata.confidence]).toEqual(['String', 'low']);
    expect(metadata.doubts).toContain(
      `All values end with a valid check digit (${scheme}), so they may be identifiers.`,
    );
  });

  it.each([
    ['one has another check digit', [...companies, '240100884']],
    ['fewer than ten differ', [...companies.slice(1), ...companies.slice(1)]],
    ['they have different lengths', [...companies, '4242424242424242']],
    ['they have fewer than eight digits', withCheckDigit(numbers(10, 240_100), LUHN)],
  ])('are integers if %s', (_, values) => {
    expect(inferredColumn(values).field.type).toBe('Integer');
  });

  it('are integers if a proposal says so', () => {
    expect(inferredColumn(companies, { proposal: { type: 'Integer' } }).field.type).toBe('Integer');
  });
});

describe('an ambiguous separator', () => {
  it('separates thousands if another column has decimal commas', () => {
    const { fields, columnMetadata } = inferPair(['1.234,50', '7,25'], ['83.019', '1.250']);
    expect(fields[1]).toMatchObject({ type: 'Integer', groupSeparator: '.' });
    expect(columnMetadata[1]).toMatchObject({ confidence: 'low' });
    expect(columnMetadata[1]?.doubts[0]).toMatch(/The column "a" has decimal commas\.$/);
  });

  it('separates thousands if another column has decimal points', () => {
    expect(inferPair(['7.25', '8.50'], ['1,234', '5,678']).fields[1]).toMatchObject({
      type: 'Integer',
      groupSeparator: ',',
    });
  });

  it('remains undecided if other columns have both', () => {
    const rows = repeatValues(['1,5', '2.25', '83.019'], ['7,2', '3.75', '1.250']);
    const { fields, columnMetadata } = inferColumns([untyped('a'), untyped('b'), untyped('c')], rows);
    expect(fields[2]?.type).toBe('String');
    expect(columnMetadata[2]?.doubts[0]).toMatch(
      /Some other columns have decimal commas, and some have decimal points\.$/,
    );
  });
});

describe('a token that repeats among typed values', () => {
  it.each(['NR', 'k.A.', 'n. v.', '***', '#DIV/0!', '#WERT!'])('such as %s is missing', (token) => {
    const { field } = inferredColumn(['1', token, '2', token, '3', '4', token]);
    expect(field).toMatchObject({ type: 'Integer', nullable: true, nullTokens: [token.toLowerCase()] });
  });

  it.each([
    ['a word', ['1', 'free', '2', 'free', '3', '4', 'free']],
    ['two tokens', ['1', 'NR', '2', 'NS', '3', '4', 'NR', '5', '6']],
    ['a token that occurs twice', ['1', 'NR', '2', 'NR', '3']],
    ['a token among booleans', ['yes', 'no', 'NR', 'yes', 'NR', 'no', 'NR']],
    ['a token that is the majority', ['NR', 'NR', 'NR', '1', '2']],
  ])('is a string if it is %s', (_, values) => {
    expect(inferredColumn(values).field.type).toBe('String');
  });
});

describe('uneven rows', () => {
  const even = Array.from({ length: 9 }, (_, row) => [String(row), 'x']);

  it('do not determine types, and short rows make columns nullable', () => {
    const { fields } = inferColumns([untyped('a'), untyped('b')], [...even, ['Total']]);
    expect(fields.map(({ type, nullable }) => [type, nullable])).toEqual([
      ['Integer', false],
      ['String', true],
    ]);
    expect(inferColumns([untyped('a'), untyped('b')], [...even, ['Total', '9', '9']]).fields[0]?.type).toBe('Integer');
  });

  it('determine types if they are the majority', () => {
    const { fields } = inferColumns([untyped('a'), untyped('b')], [['1', 'x'], ['2'], ['Total']]);
    expect(fields[0]?.type).toBe('String');
  });
});
