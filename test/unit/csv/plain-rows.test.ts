import { describe, expect, it } from 'vitest';
import type { Dialect, SchemaField } from '../../../src/csv/model/data-schema.js';
import { randomCsvs, seededRandom } from '../../support/csv/random-csv.js';
import { aSchema, readStreamedRows, splitBytes } from '../../support/csv/streamed-rows.js';
import { atScale } from '../../support/soak.js';

const DATETIME = "yyyy-MM-dd'T'HH:mm:ss";

const FIELDS: Readonly<Record<string, Partial<SchemaField>>> = {
  text: { type: 'String' },
  'optional text': { type: 'String', nullable: true, nullTokens: ['n/a', '-', 'k.a.'] },
  integer: { type: 'Integer', nullable: true },
  'grouped integer': { type: 'Integer', groupSeparator: '.' },
  decimal: { type: 'Decimal', scale: 2, precision: 9, nullable: true, nullTokens: ['-1', 'null'] },
  'decimal comma': { type: 'Decimal', scale: 3, precision: 9, decimalSeparator: ',', groupSeparator: '.' },
  percentage: { type: 'Decimal', scale: 1, precision: 4, unit: '%' },
  double: { type: 'Double' },
  boolean: { type: 'Boolean', nullable: true },
  'boolean words': { type: 'Boolean', booleans: ['ja', 'nein'] },
  date: { type: 'Date', format: 'yyyy-MM-dd' },
  'German date': { type: 'Date', format: 'dd.MM.yyyy' },
  datetime: { type: 'DateTime', format: DATETIME },
  'datetime with a space': { type: 'DateTime', format: 'yyyy-MM-dd HH:mm:ss.SSS' },
  'datetime with an offset': { type: 'DateTimeOffset', format: `${DATETIME}.SSSSSSSSSXXX` },
  'datetime with milliseconds and an offset': { type: 'DateTimeOffset', format: `${DATETIME}.SSSXXX` },
  time: { type: 'Time', format: 'HH:mm' },
  uuid: { type: 'UUID' },
  json: { type: 'JSON', nullable: true },
};

const VALUES = [
  ...['', ' ', '0', '-0', '1', '-1', '12', '007', '+5', '-12.50', '-0.00', '12.', '.5', '1.234', '1.234,5', '12,500'],
  ...['123456789012345678', '1234567890123456789', '99999999999999999999', '0.1234567890123456', '12345678.12345678'],
  ...['1e5', '1E-400', 'NaN', '12 %', '12.5%', '(5)', '٣', '1\u00a0234', ' 7 ', '7\t'],
  ...['true', 'TRUE', 'false', 'ja', 'Nein', 'null', 'N/A', ' n/a ', '-', 'K.A.', 'ﬁ', 'Grüße', '\u00a0x', 'x\u2003'],
  ...['2024-02-28', '2024-02-30', '2024-02-29', '0000-01-01', '0999-12-28', '2024-13-01', '28.02.2024', '2024-2-8'],
  ...['2024-02-28T23:59:59', '2024-02-28T24:00:00', '2024-02-28 10:00:00.123', '2024-02-28T10:00:60', '10:30', '9:5'],
  ...['2024-02-28T10:00:00.123Z', '2024-02-28T10:00:00.123456789Z', '2024-02-28T10:00:00.123+02:00', '2024-02-28'],
  ...['0188a1f0-0000-4000-8000-00000000abcd', '0188A1F0-0000-4000-8000-00000000ABCD', '0188a1f0-0000-4000-8000-0000zz'],
  ...['{"a":1}', '[1,2]', '{', 'a\nb', 'a\rb', 'a\x1fb', '\x01a', 'a\x02b', 'say "x"', 'x"y', "it's", 'a\\b', '# no'],
  ...['x'.repeat(300), 'c1', 'c2', '😀'],
];

/** Pieces that make records hard to split. */
const PIECES = [
  ...[
    'a',
    'ü',
    '😀',
    ',',
    ',',
    ',',
    '"',
    '""',
    '\n',
    '\n',
    '\r\n',
    '\r',
    ' ',
    '\t',
    '#',
    '\\',
    'x,y,z\n',
    '"q",',
    '\0',
  ],
  ...['1,2,3\n', '1,2,3\r\n', '"a\nb"c', ' "', 'a,b,c\n', '\ufeff', '\n\n', 'note\n', ',,\n'],
];

type Random = () => number;

function pick<Value>(random: Random, values: readonly Value[]): Value {
  return values[Math.floor(random() * values.length)] as Value;
}

const write = (value: string) => (/[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

/**
 * Reads the same rows with and without `PlainRowReader`, and compares the results. Returns the number of plain rows.
 */
function compareRows(schema: ReturnType<typeof aSchema>, pieces: readonly Buffer[]): number {
  const plain = readStreamedRows(schema, pieces, { readsPlainRows: true });
  expect(plain.map(({ isPlain: _, ...row }) => row)).toEqual(readStreamedRows(schema, pieces));
  return plain.filter(({ isPlain }) => isPlain).length;
}

describe('rows that are read from bytes', () => {
  it.each(Object.entries(FIELDS))('equal the rows that are read from texts: %s', (_, field) => {
    const schema = aSchema([{ ...field }, { type: 'String', nullable: true }]);
    const lines = VALUES.flatMap((value) => [`${write(value)},1\n`, `"${value.replaceAll('"', '""')}",\n`]);
    compareRows(schema, [Buffer.from(lines.join(''))]);
    // A header precedes each line, because the reader always decodes the first line to text.
    const plain = lines.map((line) => compareRows(schema, [Buffer.from(`a,b\n${line}x,y\n`)]));
    expect(Math.max(...plain)).toBeGreaterThan(0);
  });

  it('equal the rows that are read from texts, for random tables of all types', () => {
    const random = seededRandom(11);
    let plain = 0;
    for (let file = 0; file < atScale(60, 3_000); file++) {
      const fields = Array.from({ length: 1 + Math.floor(random() * 5) }, () => pick(random, Object.values(FIELDS)));
      const header = random() < 0.5;
      const rows = Array.from({ length: 40 }, () =>
        fields.map((field) => (random() < 0.1 ? pick(random, VALUES) : pick(random, usualValues(field)))),
      );
      const titles = header ? [fields.map((_, at) => `c${at + 1}`)] : [];
      const lineEnd = pick(random, ['\n', '\n', '\r\n']);
      const text = [...titles, ...rows].map((row) => row.map(write).join(',') + lineEnd).join('');
      const bytes = Buffer.from(text);
      const schema = aSchema(fields, { header });
      plain += compareRows(schema, [bytes]);
      compareRows(schema, splitBytes(bytes, 1 + Math.floor(random() * 90)));
    }
    expect(plain).toBeGreaterThan(400);
  });

  it.each<[string, Partial<Dialect>]>([
    ['quotes', {}],
    ['a header', { header: true }],
    ['lines before the header', { skipLines: 2, header: true }],
    ['backslashes', { escape: '\\' }],
    ['no quotes', { quote: null, escape: null }],
    ['comments', { comment: '#' }],
    ['tabs as delimiters', { delimiter: '\t' }],
    ['spaces as delimiters', { delimiter: ' ' }],
    ['blanks after delimiters', { skipInitialSpace: true }],
  ])('equal the rows that are read from texts, in hostile files and chunks: %s', (_, dialect) => {
    const random = seededRandom(12);
    for (let file = 0; file < atScale(150, 5_000); file++) {
      const columns = ['a', 'b', 'c'].slice(0, 1 + (file % 3));
      const fields = columns.map((name) => ({ name, type: 'String' as const, nullable: file % 2 === 0 }));
      const bytes = Buffer.from(Array.from({ length: 40 }, () => pick(random, PIECES)).join(''));
      const broken = Buffer.from(bytes);
      if (file % 5 === 0) broken[Math.floor(random() * bytes.length)] = 0xff;
      const schema = aSchema(fields, dialect);
      compareRows(schema, [broken]);
      compareRows(schema, splitBytes(broken, 1 + Math.floor(random() * 30)));
    }
  });

  it('equal the written rows in all dialects', () => {
    let plain = 0;
    for (const { rows, text, ...dialect } of randomCsvs(13)) {
      const schema = aSchema(
        (rows[0] ?? []).map(() => ({})),
        dialect,
      );
      plain += compareRows(schema, [Buffer.from(text)]);
    }
    expect(plain).toBeGreaterThan(500);
  });

  it('are all rows of a usual file except those in which a value has line breaks', () => {
    const rows = ['1,Ada,"late, twice"', '2,Grüße,"said ""no"""', '3,"two\nlines",x', '4,,y'];
    const schema = aSchema([{ type: 'Integer' }, { nullable: true }, {}], { header: true });
    const bytes = Buffer.from(`c1,c2,c3\n${rows.join('\n')}\n`);
    const read = readStreamedRows(schema, [bytes], { readsPlainRows: true });
    expect(read.map(({ isPlain }) => isPlain)).toEqual([true, true, undefined, true]);
  });
});

/** Returns values that often fit the field. */
function usualValues({ type, format, unit, booleans }: Partial<SchemaField>): string[] {
  if (unit) return ['12.5 %', '3%'];
  if (booleans) return [...booleans];
  if (format?.startsWith('dd')) return ['28.02.2024'];
  switch (type) {
    case 'Integer':
      return ['1', '-20', '123456'];
    case 'Decimal':
    case 'Double':
      return ['1', '-2', '17'];
    case 'Boolean':
      return ['true', 'false'];
    case 'Date':
      return ['2024-01-31', '2023-12-01'];
    case 'Time':
      return ['10:30'];
    case 'UUID':
      return ['0188a1f0-0000-4000-8000-00000000abcd'];
    case 'JSON':
      return ['{"a":[1]}', '[]'];
    case 'String':
      return ['amber', 'Grüße', 'a b', 'two, words'];
    default:
      return ['2024-02-28T10:00:00.123Z', '2024-02-28T10:00:00', '2024-02-28 10:00:00.123'];
  }
}
