import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../bench/support/seeded-random.js';
import type { FieldType } from '../../../src/csv/model/data-schema.js';
import { sqlName, sqlText } from '../../../src/tables/duckdb.js';
import { StagingArea } from '../../../src/tables/staging/staging-area.js';
import { writeStagingFile } from '../../../src/tables/staging/write-parquet.js';
import { type TableField } from '../../../src/tables/table-schema.js';
import { seed } from '../../support/catalog/definition-builders.js';
import { IS_SOAK } from '../../support/soak.js';
import { aStagingFolder, ORIGIN, stringFields } from '../../support/tables/staging-folder.js';

type Values = readonly (string | null)[];

const { folder, duckdb } = await aStagingFolder();

async function roundTrip(fields: TableField[], rows: readonly Values[]): Promise<{ rows: Values[]; rejected: number }> {
  const staged = await StagingArea.open(join(folder, randomUUID()), { fields });
  for (const [nth, values] of rows.entries()) {
    staged.add({ ...ORIGIN, row: nth + 1 }, values);
    await staged.drained();
  }
  const { data } = await staged.end();
  const path = join(staged.folder, 'file.parquet');
  const read: Values[] = [];
  for (const part of data) {
    await duckdb.connect((connection) => writeStagingFile(connection, part, fields, path));
    // Reads bytes, because a driver may drop a leading byte order mark.
    const columns = fields.map(({ name }, nth) => `encode(cast(${sqlName(name)} as VARCHAR)) as "${nth}"`);
    const from = `from read_parquet(${sqlText(path)}) order by _row`;
    const found = await duckdb.connect((connection) => connection.runAndReadAll(`select ${columns.join()} ${from}`));
    for (const row of found.getRowsJS())
      read.push(row.map((value) => (value === null ? null : Buffer.from(value as Uint8Array).toString())));
  }
  const { rejected } = staged;
  await staged.close();
  return { rows: read, rejected };
}

/** Returns undefined if the value was rejected. */
async function roundTripValue(type: FieldType, text: string, scale?: number): Promise<string | null | undefined> {
  const { rows } = await roundTrip([{ name: 'a', type, ...(scale !== undefined && { scale }) }], [[text]]);
  return rows[0]?.[0];
}

const PIECES = [
  ...['', 'a', '"', "'", '""', ',', ';', '|', '\t', '\n', '\r', '\r\n', '\0', '\x01', '\x1f', '\x1e', '\x7f', '\\'],
  ...['\\n', '\\N', 'NULL', 'null', '\u2028', '\u0085', '\ufeff', '\u{1F600}', 'ü', '{"a":[1]}', '#', '--', ' ', '0'],
];

describe('strings', () => {
  const random = seededRandom(seed);
  const aText = (): string | null => {
    const length = Math.floor(random() * 6) - 1;
    return length < 0 ? null : Array.from({ length }, () => PIECES[Math.floor(random() * PIECES.length)]).join('');
  };

  it.each([1, 3, 50])('are stored unchanged, and null as null: %d columns', async (count) => {
    const rows = Array.from({ length: 3_000 / count }, () => Array.from({ length: count }, aText));
    expect([seed, (await roundTrip(stringFields(count), rows)).rows]).toEqual([seed, rows]);
  });

  it('that are empty are not null', async () => {
    const rows = [
      ['', null],
      [null, ''],
      ['\x01', '\x010a'],
    ];
    expect((await roundTrip(stringFields(2), rows)).rows).toEqual(rows);
  });

  it('are stored unchanged in many small rows, which fill several blocks of a file', async () => {
    const rows = Array.from({ length: 3_000 }, (_, nth) => [`${nth} ${'ü€x'.repeat(nth % 200)}`, null]);
    expect((await roundTrip(stringFields(2), rows)).rows).toEqual(rows);
  });

  it('can have 20 MiB', async () => {
    const rows = [['\n'.repeat(20 * 2 ** 20)], ['short'], ['ü'.repeat(2 ** 20)]];
    const read = (await roundTrip(stringFields(1), rows)).rows;
    expect(read.every(([text], nth) => text === rows[nth]?.[0])).toBe(true);
  });

  it('have U+FFFD in place of unpaired surrogates', async () => {
    expect(await roundTripValue('String', 'a\ud800')).toBe('a\ufffd');
  });

  (IS_SOAK ? it : it.skip)(
    'can fill 4,096 columns',
    async () => {
      const rows = Array.from({ length: 600 }, () => Array.from({ length: 4_096 }, aText));
      const read = (await roundTrip(stringFields(4_096), rows)).rows;
      expect(read.every((row, nth) => row.every((text, at) => text === rows[nth]?.[at]))).toBe(true);
    },
    600_000,
  );
});

describe('a value of a type', () => {
  it.each<[FieldType, string, string, scale?: number]>([
    ['Integer', '-9223372036854775808', '-9223372036854775808'],
    ['Integer', '9223372036854775807', '9223372036854775807'],
    ['Decimal', '123456789012345678901234567890123456.78', '123456789012345678901234567890123456.78', 2],
    ['Decimal', '-0.5', '-0.50', 2],
    ['Decimal', '9999999999999999.99', '9999999999999999.99', 2],
    ['Decimal', '-10000000000000000', '-10000000000000000.00', 2],
    ['Decimal', '123.45', `123.45${'0'.repeat(28)}`, 30],
    ['Decimal', '1.230000', '1.23', 2],
    ['Decimal', '99999999999999999999999999999999999999', '99999999999999999999999999999999999999', 0],
    ['Double', '1.7976931348623157e308', '1.7976931348623157e+308'],
    ['Double', '5e-324', '5e-324'],
    ['Double', '0.1', '0.1'],
    ['Double', '0e5', '0.0'],
    ['Double', 'NaN', 'nan'],
    ['Double', '-Infinity', '-inf'],
    ['Boolean', 'true', 'true'],
    ['Date', '0001-01-01', '0001-01-01'],
    ['Date', '2024-02-29', '2024-02-29'],
    ['DateTime', '9999-12-31T23:59:59.999999', '9999-12-31 23:59:59.999999'],
    ['DateTime', '2024-01-01T00:00:00.1234560000', '2024-01-01 00:00:00.123456'],
    ['DateTimeOffset', '2024-01-01T00:30:00+05:30', '2023-12-31 19:00:00+00'],
    ['DateTimeOffset', '2024-01-01T00:00:00.5Z', '2024-01-01 00:00:00.5+00'],
    ['DateTimeOffset', '9999-12-31T23:59:59.999999-15:59', '10000-01-01 15:58:59.999999+00'],
    ['Time', '10:00:00.123456789', '10:00:00.123456789'],
    ['JSON', '{"a":1.0}', '{"a":1.0}'],
  ])('is stored exactly: %s %s', async (...[type, text, printed, scale]) => {
    expect(await roundTripValue(type, text, scale)).toBe(printed);
  });

  it.each<[FieldType, string, scale?: number]>([
    ...['9223372036854775808', '-9223372036854775809', '1.5', '1e3', '0x1F', '1_000', ' 1', '01', '+1', '', 'true'].map(
      (text): [FieldType, string] => ['Integer', text],
    ),
    ['Decimal', '1.234', 2],
    ['Decimal', '1e2', 2],
    ['Decimal', '1000000000000000000000000000000000000', 2],
    ['Decimal', 'NaN', 2],
    ...['1e400', '-1e400', '1e-400', '1_0', 'inf', 'nan', '0x10', ''].map((text): [FieldType, string] => [
      'Double',
      text,
    ]),
    ...['1', 't', 'TRUE', 'yes'].map((text): [FieldType, string] => ['Boolean', text]),
    ...['2023-02-29', '0000-01-01', '10000-01-01', '2024-1-2', 'infinity', '2024-01-01 BC', '-0001-01-01'].map(
      (text): [FieldType, string] => ['Date', text],
    ),
    ['DateTime', '2024-01-01T24:00:00'],
    ['DateTime', '2024-01-01T10:00:60'],
    ['DateTime', '2024-01-01T10:00:00.1234567'],
    ['DateTime', '2024-01-01T10:00:00Z'],
    ['DateTime', '2024-01-01 10:00:00'],
    ['DateTimeOffset', '2024-01-01T10:00:00'],
    ['DateTimeOffset', '2024-01-01T10:00:00+16:00'],
    ['DateTimeOffset', '2024-02-30T10:00:00Z'],
  ])('is rejected if it does not fit, and never rounded or guessed: %s %j', async (...[type, text, scale]) => {
    const fields = [{ name: 'a', type, ...(scale !== undefined && { scale }) }];
    expect(await roundTrip(fields, [[text]])).toEqual({ rows: [], rejected: 1 });
  });

  it('is accepted only if DuckDB can cast it', async () => {
    const random = seededRandom(seed);
    const types: FieldType[] = ['Integer', 'Decimal', 'Double', 'Boolean', 'Date', 'DateTime', 'DateTimeOffset'];
    const fields = types.map((type): TableField => ({ name: type, type, scale: 5 }));
    const pieces = [
      '0',
      '1',
      '9',
      '12',
      '2024',
      '-',
      '-02',
      '-29',
      '.',
      'e',
      'T',
      'T10:00',
      ':59',
      'Z',
      '+05:30',
      'true',
    ];
    const aText = () =>
      Array.from({ length: 1 + random() * 6 }, () => pieces[Math.floor(random() * pieces.length)]).join('');
    const rows = Array.from({ length: 100_000 }, () => {
      const nth = Math.floor(random() * types.length);
      return types.map((_, at) => (at === nth ? aText() : null));
    });
    const { rows: read, rejected } = await roundTrip(fields, rows);
    expect([seed, read.length + rejected]).toEqual([seed, rows.length]);
    expect(read.length).toBeGreaterThan(1_000);
    expect(read.every((row) => row.some((value) => value !== null))).toBe(true);
  });
});
