import { describe, expect, it } from 'vitest';
import type { ConfidenceLevel, SchemaField } from '../../../src/csv/model/data-schema.js';
import { createFieldReader } from '../../../src/csv/types/field-reader.js';
import { inferredColumn, repeatValues } from '../../support/csv/inferred-column.js';

type Expected = Pick<SchemaField, 'type'> & Partial<SchemaField>;
type Row = [values: string[], expected: Expected, confidence: ConfidenceLevel, read?: string[]];

const text: Expected = { type: 'String' };
const decimal = (precision: number, scale: number, how: Partial<SchemaField> = {}): Expected => ({
  type: 'Decimal',
  precision,
  scale,
  ...how,
});
const comma = { decimalSeparator: ',' };

const NUMBERS: Row[] = [
  [['01234', '00501'], text, 'high'],
  [['10001', '00501'], text, 'high'],
  [['1', '-20', '0'], { type: 'Integer' }, 'high'],
  [['9007199254740993'], { type: 'Integer' }, 'high', ['9007199254740993']],
  [['9223372036854775807', '-9223372036854775808'], { type: 'Integer' }, 'high'],
  [['9223372036854775808'], decimal(19, 0), 'high'],
  [['12345678901234567890'], decimal(20, 0), 'high', ['12345678901234567890']],
  [['1,5', '2,75'], decimal(3, 2, comma), 'medium', ['1.5', '2.75']],
  [['1.234,56'], decimal(6, 2, { ...comma, groupSeparator: '.' }), 'medium', ['1234.56']],
  [['1,234.56', '5'], decimal(6, 2, { groupSeparator: ',' }), 'high', ['1234.56', '5']],
  [['1 234,5'], decimal(5, 1, { ...comma, groupSeparator: ' ' }), 'medium', ['1234.5']],
  [['1\u00a0234', '5\u2009678,9'], decimal(5, 1, { ...comma, groupSeparator: ' ' }), 'medium', ['1234', '5678.9']],
  [["1'234.5"], decimal(5, 1, { groupSeparator: "'" }), 'high', ['1234.5']],
  [['1,234,567', '890'], { type: 'Integer', groupSeparator: ',' }, 'high', ['1234567', '890']],
  [['1.234', '5.678'], decimal(4, 3), 'low', ['1.234', '5.678']],
  [['1,234', '5,678'], text, 'low'],
  [['1,234', '0,125'], decimal(4, 3, comma), 'medium', ['1.234', '0.125']],
  [['12,34,567'], text, 'high'],
  [
    ['(1,234.00)', '5.00'],
    decimal(6, 2, { groupSeparator: ',', negativeInParentheses: true }),
    'medium',
    ['-1234.00', '5.00'],
  ],
  [['(1)', '(2)'], text, 'high'],
  [['12 %', '5.5%'], decimal(3, 1, { unit: '%' }), 'medium', ['12', '5.5']],
  [['$5', '-$1,234.50'], decimal(6, 2, { unit: '$', groupSeparator: ',' }), 'medium', ['5', '-1234.50']],
  [['EUR 5.00', '7.50 EUR'], decimal(3, 2, { unit: 'EUR' }), 'medium', ['5.00', '7.50']],
  [['R$ 5,00'], decimal(3, 2, { ...comma, unit: 'R$' }), 'medium', ['5.00']],
  [["-CHF 1'234.50", 'CHF 5'], decimal(6, 2, { groupSeparator: "'", unit: 'CHF' }), 'medium', ['-1234.50', '5']],
  [['5 eur'], text, 'high'],
  [['5 €', '1.234,56 €'], decimal(6, 2, { ...comma, groupSeparator: '.', unit: '€' }), 'medium', ['5', '1234.56']],
  [['1.234 €'], text, 'low'],
  [['.5', '1.25'], decimal(3, 2), 'high', ['0.5', '1.25']],
  [['5.'], text, 'high'],
  [['-0', '-0.5'], decimal(1, 1), 'high', ['-0', '-0.5']],
  [['1_000'], text, 'high'],
  [['１２'], text, 'high'],
  [['0x1A'], text, 'high'],
  [['+1', '+14155552671'], text, 'high'],
  [['555 123 456'], text, 'low'],
  [['49 171 123 456'], text, 'low'],
  [['415-555-2671'], text, 'high'],
  [['1.10', '1.20'], decimal(3, 2), 'high'],
  [['1.5e5', '1e5', '2'], { type: 'Double' }, 'high', ['1.5e5', '1e5', '2']],
  [['1e-5', '2'], { type: 'Double' }, 'high'],
  [['1203', '12E4', '1188'], text, 'low'],
  [['1,5e4', '0,25'], { type: 'Double', ...comma }, 'medium', ['1.5e4', '0.25']],
  [['inf', '-Infinity', 'NaN', '1.5'], { type: 'Double' }, 'high', ['Infinity', '-Infinity', 'NaN', '1.5']],
  [['2.5e-308', '4.94e-324'], { type: 'Double' }, 'high', ['2.5e-308', '4.94e-324']],
  [['12345678901234567890.5'], decimal(21, 1), 'high'],
  [['0', '1'], { type: 'Integer' }, 'high'],
];

const WORDS: Row[] = [
  [['TRUE', 'false'], { type: 'Boolean', booleans: ['true', 'false'] }, 'high', ['true', 'false']],
  [['Y', 'n'], { type: 'Boolean', booleans: ['y', 'n'] }, 'high', ['true', 'false']],
  [['yes'], { type: 'Boolean', booleans: ['yes', 'no'] }, 'low'],
  [['NO'], text, 'low'],
  [['f'], text, 'low'],
  [['ja', 'Nein'], { type: 'Boolean', booleans: ['ja', 'nein'] }, 'high', ['true', 'false']],
  [['WAHR', 'FALSCH'], { type: 'Boolean', booleans: ['wahr', 'falsch'] }, 'high', ['true', 'false']],
  [['oui', 'non'], { type: 'Boolean', booleans: ['oui', 'non'] }, 'high'],
  [['Sí', 'No'], { type: 'Boolean', booleans: ['sí', 'no'] }, 'high'],
  [['sì', 'no'], { type: 'Boolean', booleans: ['sì', 'no'] }, 'high'],
  [['sim', 'não'], { type: 'Boolean', booleans: ['sim', 'não'] }, 'high'],
  [['ja', 'nee'], { type: 'Boolean', booleans: ['ja', 'nee'] }, 'high'],
  [['vrai', 'FAUX'], { type: 'Boolean', booleans: ['vrai', 'faux'] }, 'high', ['true', 'false']],
  [['verdadero', 'falso'], { type: 'Boolean', booleans: ['verdadero', 'falso'] }, 'high'],
  [['vero', 'falso'], { type: 'Boolean', booleans: ['vero', 'falso'] }, 'high'],
  [['verdadeiro', 'falso'], { type: 'Boolean', booleans: ['verdadeiro', 'falso'] }, 'high'],
  [['waar', 'onwaar'], { type: 'Boolean', booleans: ['waar', 'onwaar'] }, 'high'],
  [['prawda', 'fałsz'], { type: 'Boolean', booleans: ['prawda', 'fałsz'] }, 'high'],
  [['ja', 'nei'], { type: 'Boolean', booleans: ['ja', 'nei'] }, 'high'],
  [['tak', 'nie'], { type: 'Boolean', booleans: ['tak', 'nie'] }, 'high'],
  [['ja', 'nej'], { type: 'Boolean', booleans: ['ja', 'nej'] }, 'high'],
  [
    ['true', 'false', '1', '0'],
    { type: 'Boolean', booleans: ['true', 'false'] },
    'low',
    ['true', 'false', 'true', 'false'],
  ],
  [['N', 'S'], text, 'high'],
  [['A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'], { type: 'UUID' }, 'high', ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11']],
  [['{"a": 12345678901234567890}', '[]'], { type: 'JSON' }, 'high', ['{"a": 12345678901234567890}', '[]']],
  [['"a"', 'null of it'], text, 'high'],
  [['192.168.1.1', '10.0.0.1'], text, 'high'],
  [['1.2.3', '2.2.0'], text, 'high'],
  [['44 BC'], text, 'high'],
];

const MOMENTS: Row[] = [
  [['01/02/2024'], text, 'low'],
  [['13/01/2024', '01/02/2024'], { type: 'Date', format: 'dd/MM/yyyy' }, 'high', ['2024-01-13', '2024-02-01']],
  [['01/13/2024', '1/2/2024'], { type: 'Date', format: 'M/d/yyyy' }, 'high', ['2024-01-13', '2024-01-02']],
  [['13.01.24', '28.02.69'], { type: 'Date', format: 'dd.MM.yy' }, 'medium', ['2024-01-13', '1969-02-28']],
  [['01-13-39'], { type: 'Date', format: 'MM-dd-yy' }, 'medium', ['2039-01-13']],
  [['01-13-40'], text, 'low'],
  [['01-13-68'], text, 'low'],
  [['13-Mar-24', '28-Feb-68'], text, 'low'],
  [['13-Mar-24'], { type: 'Date', format: 'dd-MMM-yy' }, 'medium', ['2024-03-13']],
  [['2024/02/29'], { type: 'Date', format: 'yyyy/MM/dd' }, 'high', ['2024-02-29']],
  [['5 Jan 2024', '15 may 2023'], { type: 'Date', format: 'd MMM yyyy' }, 'high', ['2024-01-05', '2023-05-15']],
  [['January 5, 2024'], { type: 'Date', format: 'MMMM d, yyyy' }, 'high', ['2024-01-05']],
  [
    ['12. März 2024', '1. Mai 2024'],
    { type: 'Date', format: 'd. MMMM yyyy', language: 'de' },
    'high',
    ['2024-03-12', '2024-05-01'],
  ],
  [
    ['12. Mrz. 2024', '12. Dez. 2024'],
    { type: 'Date', format: 'dd. MMM yyyy', language: 'de' },
    'high',
    ['2024-03-12', '2024-12-12'],
  ],
  [['12.Okt.2024'], { type: 'Date', format: 'dd.MMM.yyyy', language: 'de' }, 'high', ['2024-10-12']],
  [
    ['12 janv. 2024', '13 août 2024', '14 mai 2024'],
    { type: 'Date', format: 'dd MMM yyyy', language: 'fr' },
    'high',
    ['2024-01-12', '2024-08-13', '2024-05-14'],
  ],
  [['3 de marzo de 2024'], { type: 'Date', format: "d 'de' MMMM 'de' yyyy", language: 'es' }, 'high', ['2024-03-03']],
  [['3 de março de 2024'], { type: 'Date', format: "d 'de' MMMM 'de' yyyy", language: 'pt' }, 'high', ['2024-03-03']],
  [
    ['3 maggio 2024', '4 giugno 2024'],
    { type: 'Date', format: 'd MMMM yyyy', language: 'it' },
    'high',
    ['2024-05-03', '2024-06-04'],
  ],
  [['3 maart 2024'], { type: 'Date', format: 'd MMMM yyyy', language: 'nl' }, 'high', ['2024-03-03']],
  [['3 października 2024'], { type: 'Date', format: 'd MMMM yyyy', language: 'pl' }, 'high', ['2024-10-03']],
  [
    ['3 maj 2024', '3 oktober 2024'],
    { type: 'Date', format: 'd MMMM yyyy', language: 'sv' },
    'high',
    ['2024-05-03', '2024-10-03'],
  ],
  [['3 marts 2024'], { type: 'Date', format: 'd MMMM yyyy', language: 'da' }, 'high', ['2024-03-03']],
  [['3 desember 2024'], { type: 'Date', format: 'd MMMM yyyy', language: 'nb' }, 'high', ['2024-12-03']],
  [['3 března 2024'], { type: 'Date', format: 'd MMMM yyyy', language: 'cs' }, 'high', ['2024-03-03']],
  [
    ['Mittwoch, 13. März 2024'],
    { type: 'Date', format: 'EEEE, dd. MMMM yyyy', language: 'de' },
    'high',
    ['2024-03-13'],
  ],
  [['Wed, 13 Mar 2024'], { type: 'Date', format: 'EEE, dd MMM yyyy' }, 'high', ['2024-03-13']],
  [['Tue, 13 Mar 2024'], text, 'high'],
  [['15JAN1985'], { type: 'Date', format: 'ddMMMyyyy' }, 'high', ['1985-01-15']],
  [
    ['2024-01-01', '2024-01-02 10:30'],
    { type: 'DateTime', format: 'yyyy-MM-dd HH:mm' },
    'high',
    ['2024-01-01T00:00:00', '2024-01-02T10:30:00'],
  ],
  [
    ['2024-01-01t10:00:00.5', '2024-01-01T10:00:00.123456'],
    { type: 'DateTime', format: "yyyy-MM-dd'T'HH:mm:ss.SSSSSS" },
    'high',
    ['2024-01-01T10:00:00.5', '2024-01-01T10:00:00.123456'],
  ],
  [
    ['13.01.2024 12:05 AM', '13.01.2024 12:05 pm'],
    { type: 'DateTime', format: 'dd.MM.yyyy hh:mm a' },
    'high',
    ['2024-01-13T00:05:00', '2024-01-13T12:05:00'],
  ],
  [
    ['2024-01-01T10:00:00z', '2024-01-01T10:00:00+02:00'],
    { type: 'DateTimeOffset', format: "yyyy-MM-dd'T'HH:mm:ssXXX" },
    'high',
    ['2024-01-01T10:00:00Z', '2024-01-01T10:00:00+02:00'],
  ],
  [
    ['2024-01-01 10:00 UTC'],
    { type: 'DateTimeOffset', format: 'yyyy-MM-dd HH:mm z' },
    'high',
    ['2024-01-01T10:00:00Z'],
  ],
  [
    ['2024-01-01 10:00 UTC', '2024-01-01 10:00 EST', '2024-07-01 10:00 cest'],
    { type: 'DateTimeOffset', format: 'yyyy-MM-dd HH:mm zzz' },
    'low',
    ['2024-01-01T10:00:00Z', '2024-01-01T10:00:00-05:00', '2024-07-01T10:00:00+02:00'],
  ],
  [['2024-01-01 10:00 CST'], text, 'high'],
  [['2024-01-01 10:00 IST'], text, 'high'],
  [['10:00 EST'], text, 'high'],
  [['9:05', '23:59'], { type: 'Time', format: 'H:mm' }, 'high', ['09:05:00', '23:59:00']],
  [['1704067200'], { type: 'Integer' }, 'high'],
];

describe.each([
  ['numbers', NUMBERS],
  ['words', WORDS],
  ['moments', MOMENTS],
])('%s', (_, rows) => {
  it.each(rows)('%j are %j, with confidence %s', (values, expected, confidence, ...[read]) => {
    const { field, metadata } = inferredColumn(repeatValues(...values));
    expect(field).toEqual({ name: 'value', nullable: false, ...expected });
    expect(metadata).toMatchObject({ confidence, demoted: false, sampleFailures: 0 });
    if (read) expect(values.map(createFieldReader(field) as (value: string) => unknown)).toEqual(read);
  });
});

describe('a few bad values', () => {
  it.each([
    [['30/01/2024', '31/02/2024'], '"31/02/2024" is not a date (dd/MM/yyyy)'],
    [['13/01/2024', '01/13/2024'], '"01/13/2024" is not a date (dd/MM/yyyy)'],
    [['2024-02-29', '2023-02-29'], '"2023-02-29" is not a date (yyyy-MM-dd)'],
    [['2024-02-29', '0000-00-00'], '"0000-00-00" is not a date (yyyy-MM-dd)'],
    [['2024-02-29', '0000-01-01'], '"0000-01-01" is not a date (yyyy-MM-dd)'],
    [['10:00:00.5', '10:00:00.'], '"10:00:00." is not a time (HH:mm:ss.S)'],
    [['2024-01-01 10:00Z', '2024-01-01'], '"2024-01-01" is not a date and time with an offset (yyyy-MM-dd HH:mmXXX)'],
    [['10:00', '24:00'], '"24:00" is not a time (HH:mm)'],
    [
      ['2024-01-01 10:00 EST', '2024-01-01 10:00 CST'],
      '"2024-01-01 10:00 CST" is not a date and time with an offset (yyyy-MM-dd HH:mm zzz)',
    ],
    [
      ['2024-01-01 10:00:00', '2024-01-01 10:00:60'],
      '"2024-01-01 10:00:60" is not a date and time (yyyy-MM-dd HH:mm:ss)',
    ],
    [['2024-01-01T10:00', '2024-01-01T10:00Z'], `"2024-01-01T10:00Z" is not a date and time (yyyy-MM-dd'T'HH:mm)`],
    [['1.5e-5', '9.94e-324'], '"9.94e-324" is not a number'],
    [['5', 'five'], '"five" is not an integer'],
    [['5 EUR', '5 USD'], '"5 USD" is not a decimal number (1234.5 EUR)'],
    [['5', '007'], '"007" is not an integer'],
    [['12 %', '12'], '"12" is not a decimal number (1234.5 %)'],
    [['1.5', '12,34,567'], '"12,34,567" is not a decimal number'],
    [['true', 'false', 'yes'], '"yes" is not a boolean (true/false)'],
    [['{}', '{'], '"{" is not a JSON object or array'],
    [['12345678901234567890', '1e5'], '"1e5" is not a decimal number'],
  ])('in %j make the column a String, and the metadata quotes one bad value', (values, error) => {
    const [good = '', ...others] = values;
    const column = [...Array<string>(16).fill(good), ...others];
    const { field, metadata } = inferredColumn(column);
    expect(field).toEqual({ name: 'value', type: 'String', nullable: false });
    expect(metadata).toEqual({
      fieldPath: 'value',
      confidence: 'low',
      demoted: true,
      sampleSeen: column.length,
      sampleFailures: 1,
      firstSampleError: `row ${column.length}: ${error}`,
      doubts: [
        expect.stringMatching(/^1 of \d+ values is not an? .*\. The other values fit\.$/),
        expect.stringMatching(/^The sample has \d+ values\. /),
      ],
    });
  });

  it.each(['x', '😀'])('are quoted up to 64 whole characters: %s', (character) => {
    const { metadata } = inferredColumn(['1', '2', character.repeat(70)]);
    expect(metadata.firstSampleError).toBe(`row 3: "${character.repeat(64)}" is not an integer`);
  });

  it('are strings, not errors, if they are the majority', () => {
    const expected = { demoted: false, sampleFailures: 0 };
    expect(inferredColumn(['[a]', '[b]', '[1]']).metadata).toMatchObject(expected);
  });

  it('do not include values that fit a wider type', () => {
    const { field, metadata } = inferredColumn(['1', '2', '3.5']);
    expect(field).toMatchObject({ type: 'Decimal', precision: 2, scale: 1 });
    expect(metadata).toMatchObject({ demoted: false, sampleSeen: 3, sampleFailures: 0 });
  });
});
