import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { faultyPatterns } from '../../src/quality/faulty-patterns.js';
import type { InspectedRows } from '../../src/quality/inspection.js';
import type { ContractRule } from '../../src/quality/table-contract.js';
import type { CheckResult } from '../../src/quality/table-quality-result.js';
import type { TableField } from '../../src/tables/table-schema.js';
import { BATCH, Inspector } from '../support/inspected-rows.js';

let inspector: Inspector;

const PEOPLE: readonly TableField[] = [
  { name: 'id', type: 'Integer' },
  { name: 'email', type: 'String' },
  { name: 'amount', type: 'Decimal', scale: 2 },
  { name: 'ratio', type: 'Double' },
  { name: 'active', type: 'Boolean' },
  { name: 'born', type: 'Date' },
  { name: 'seen_at', type: 'DateTimeOffset' },
];

const ADA = ['1', 'ada@example.com', '1.50', '1', 'true', '1990-12-10', '2026-03-01T11:58:00Z'];
const BOB = ['2', 'bob@example.com', '20.00', '0.25', 'false', '1991-01-01', '2026-03-01T12:06:00Z'];
const EVE = ['3', 'eve', '-3.00', null, null, null, '2026-03-01T12:04:00Z'];
const NOBODY = [null, null, null, null, null, null, null];

let people: InspectedRows;
let nobody: InspectedRows;

beforeAll(async () => {
  inspector = await Inspector.open();
  people = await inspector.rowsOf({
    fields: PEOPLE,
    files: [
      [ADA, BOB],
      [EVE, NOBODY, [...ADA]],
    ],
  });
  nobody = { files: [], schema: { fields: PEOPLE }, rows: 0, rejectedRows: 0 };
});

afterAll(() => inspector.close());

const OUT_OF_MEMORY = new Error('Out of Memory Error: failed to allocate');

const KEY = { primaryKey: ['id'] };

/** A result of a run before, as far as another one is compared with it. */
const checksBefore = (key: string, observed: number) => [{ key, observed } as CheckResult];

describe('checks of values', () => {
  const passes: [ContractRule, number, string][] = [
    [
      { type: 'null_rate', column: 'email', maxRate: 0.2 },
      0.2,
      'null_rate of "email" is 0.2 (1 of 5 rows), 0.2 passes',
    ],
    [{ type: 'accepted_values', column: 'id', values: ['1', '2', '3'] }, 0, '(0 of 4 values), 0 passes'],
    [{ type: 'range', column: 'amount', minimum: -3, maximum: 20 }, 0, '(0 of 4 values)'],
    [{ type: 'range', column: 'id', minimum: 1 }, 0, '(0 of 4 values)'],
    [{ type: 'pattern', column: 'email', pattern: '[a-z]+(@example\\.com)?' }, 0, '(0 of 4 values)'],
    [{ type: 'future_timestamp', column: 'seen_at', maxRate: 0.25 }, 0.25, '0.25 (1 of 4 values), 0.25 passes'],
    [{ type: 'future_timestamp', column: 'born' }, 0, '(0 of 3 values)'],
  ];
  it.each(passes)('pass where no more than the share fails: %j', async (rule, observed, message) => {
    expect(await inspector.check(people, rule)).toMatchObject({
      ...{ status: 'PASS', comparator: 'LTE', observed, threshold: rule.maxRate ?? 0 },
      message: expect.stringContaining(message),
    });
  });

  const fails: [ContractRule, number, string[], string[] | undefined][] = [
    [{ type: 'null_rate', column: 'ratio', maxRate: 0.39 }, 0.4, ['3', `${BATCH}:2`], undefined],
    [
      { type: 'accepted_values', column: 'email', values: ["o'neil", 'bob@example.com'] },
      0.75,
      ['1', '3'],
      ['ada@example.com', 'eve'],
    ],
    [{ type: 'accepted_values', column: 'ratio', values: ['0.25'] }, 2 / 3, ['1'], ['1']],
    [{ type: 'accepted_values', column: 'amount', values: ['20'] }, 0.75, ['1', '3'], ['1.5', '-3']],
    [{ type: 'accepted_values', column: 'active', values: ['true'] }, 1 / 3, ['2'], ['false']],
    [{ type: 'accepted_values', column: 'born', values: ['1990-12-10'] }, 1 / 3, ['2'], ['1991-01-01']],
    [
      { type: 'accepted_values', column: 'seen_at', values: ['2026-03-01T11:58:00.000Z', '2026-03-01T12:04:00.000Z'] },
      0.25,
      ['2'],
      ['2026-03-01T12:06:00.000Z'],
    ],
    [{ type: 'range', column: 'amount', minimum: -2.99, maximum: 19.99 }, 0.5, ['2', '3'], ['-3', '20']],
    [
      { type: 'pattern', column: 'email', pattern: '\\w+@example' },
      1,
      ['1', '2', '3'],
      ['ada@example.com', 'bob@example.com', 'eve'],
    ],
  ];
  it.each(fails)('fail where more does, and show keys and values: %j', async (rule, observed, keys, values) => {
    const found = await inspector.check(people, rule, KEY);
    expect(found).toMatchObject({ status: 'FAIL', gate: 'GATE_2', observed });
    expect([...new Set(found.sampleKeys)].sort()).toEqual([...keys].sort());
    expect(found.topViolatingValues).toEqual(values);
  });

  it('allow clocks to be 5 minutes ahead, and only advise about what lies further ahead', async () => {
    expect(await inspector.check(people, { type: 'future_timestamp', column: 'seen_at' }, KEY)).toMatchObject({
      ...{ status: 'WARN', gate: 'GATE_3', observed: 0.25, sampleKeys: ['2'] },
      topViolatingValues: ['2026-03-01T12:06:00.000Z'],
    });
  });

  it('take what is no number as out of range', async () => {
    const fields: TableField[] = [{ name: 'x', type: 'Double' }];
    const rows = await inspector.rowsOf({ fields, files: [[['NaN'], ['1'], ['-Infinity']]] });
    const found = await inspector.check(rows, { type: 'range', column: 'x', minimum: 0 });
    expect(found).toMatchObject({ observed: 2 / 3, sampleKeys: [`${BATCH}:1`, `${BATCH}:3`] });
  });

  it('know decimals that have no digit before the point', async () => {
    const fields: TableField[] = [{ name: 'x', type: 'Decimal', scale: 38 }];
    const rows = await inspector.rowsOf({ fields, files: [[['0'], ['0.5'], ['-0.25'], ['0.125']]] });
    const found = await inspector.check(rows, { type: 'accepted_values', column: 'x', values: ['0', '0.5'] });
    expect(found).toMatchObject({ observed: 0.5, topViolatingValues: ['-0.25', '0.125'] });
  });

  it('know a thousand accepted values, repeated ones too', async () => {
    const values = [...Array.from({ length: 1_000 }, (_, nth) => `value '${nth}'`), 'eve', 'eve', 'a\0b', ''];
    const found = await inspector.check(people, { type: 'accepted_values', column: 'email', values });
    expect(found).toMatchObject({ observed: 0.75 });
  });

  it('are skipped where there are no values', async () => {
    const empty = await inspector.rowsOf({ fields: PEOPLE, files: [[NOBODY]] });
    const rule: ContractRule = { type: 'range', column: 'amount', minimum: 0 };
    for (const rows of [empty, nobody]) {
      const found = await inspector.check(rows, rule);
      expect(found).toMatchObject({ status: 'SKIPPED', message: 'range of "amount": there are no values' });
      expect(found.observed).toBeUndefined();
    }
    expect(await inspector.check(nobody, { type: 'null_rate', column: 'id' })).toMatchObject({ status: 'SKIPPED' });
  });

  it.each<[ContractRule, string]>([
    [{ type: 'range', column: 'email', minimum: 0 }, 'it is not made for columns of String'],
    [{ type: 'range', column: 'id' }, 'it has no bounds'],
    [{ type: 'pattern', column: 'id', pattern: '1' }, 'it is not made for columns of Integer'],
    [{ type: 'pattern', column: 'email', pattern: '(' }, 'its pattern is no regular expression of RE2'],
    [{ type: 'pattern', column: 'email', pattern: '(?=a)\0' }, 'its pattern is no regular expression of RE2'],
    [{ type: 'pattern', column: 'email' }, 'it has no pattern'],
    [{ type: 'accepted_values', column: 'email', values: [] }, 'it has no values'],
    [{ type: 'future_timestamp', column: 'email' }, 'it is not made for columns of String'],
    [{ type: 'cursor_monotonic', column: 'email' }, 'it is not made for columns of String'],
    [{ type: 'distinct_drop', column: 'gone' }, 'there is no such column'],
    [{ type: 'null_rate' }, 'it names no column'],
    [{ type: 'freshness' }, 'there is no such column'],
  ])('that cannot be made say why, and leave others alone: %j', async (rule, why) => {
    const sound: ContractRule = { type: 'null_rate', column: 'email', maxRate: 1 };
    const { checks } = await inspector.inspect(people, { rules: [rule, sound], timestampColumn: 'gone' });
    expect(checks.map(({ status }) => status)).toEqual(['ERROR', 'PASS']);
    expect(checks[0]?.evidence?.message).toMatch(new RegExp(`: ${why}$`));
  });

  it('take a column that the rows lack as null throughout', async () => {
    const found = await inspector.check(people, { type: 'null_rate', column: 'gone' });
    expect(found).toMatchObject({
      status: 'FAIL',
      observed: 1,
      message: 'null_rate of "gone" is 1 (5 of 5 rows), 0 passes',
    });
  });
});

describe('columns that files lack', () => {
  it('are null in the rows of those, be it some files or all', async () => {
    const [old, latest] = [PEOPLE.slice(0, 1), PEOPLE.slice(0, 2)];
    const files = [await inspector.keep(old, [['1'], ['2']]), await inspector.keep(latest, [['3', 'eve']])];
    const rows = { ...people, files, rows: 3, schema: { fields: PEOPLE } };
    const { checks, values } = await inspector.inspect(rows, {
      rules: [
        { type: 'null_rate', column: 'email' },
        { type: 'null_rate', column: 'seen_at' },
        { type: 'range', column: 'amount', minimum: 0 },
        { type: 'duplicate_rate' },
      ],
      series: [{ kind: 'COLUMN_DISTINCT_COUNT', column: 'born' }],
    });
    expect(checks.map(({ observed }) => observed)).toEqual([2 / 3, 1, undefined, 0]);
    expect(values).toEqual(new Map([['COLUMN_DISTINCT_COUNT:born', 0]]));
  });
});

describe('checks of keys', () => {
  const ORDERS: readonly TableField[] = [
    { name: 'shop', type: 'String' },
    { name: 'number', type: 'Integer' },
  ];
  const aTable = (rows: (string | null)[][]) =>
    inspector.rowsOf({ fields: ORDERS, files: [rows.slice(0, 2), rows.slice(2)] });
  const both = { primaryKey: ['shop', 'number'] };

  it('count the rows beyond the first of each key, of whole keys alone, and show those that come most often', async () => {
    const rows = await aTable([
      ['a', '1'],
      ['a', '1'],
      ['b', '1'],
      ['a', '2'],
      ['b', '1'],
      ['b', '1'],
      [null, '1'],
      [null, '1'],
    ]);
    const { checks } = await inspector.inspect(rows, {
      ...both,
      rules: [{ type: 'primary_key_unique' }, { type: 'primary_key_null' }, { type: 'duplicate_rate', maxRate: 0.3 }],
    });
    const [unique, missing, rate] = checks;
    const keys = ['["b","1"]', '["a","1"]'];
    expect(unique).toMatchObject({ status: 'FAIL', comparator: 'EQ', observed: 3, evidence: { sampleKeys: keys } });
    expect(missing).toMatchObject({
      status: 'FAIL',
      observed: 2,
      evidence: { sampleKeys: [`${BATCH}:5`, `${BATCH}:6`] },
    });
    expect(rate).toMatchObject({ status: 'FAIL', observed: 3 / 8, evidence: { sampleKeys: keys } });
    expect(unique?.evidence?.message).toBe('primary_key_unique is 3 (3 of 8 rows), 0 passes');
  });

  it('pass where each row has a key of its own', async () => {
    const rows = await aTable([
      ['a', '1'],
      ['a', '2'],
      ['b', '1'],
    ]);
    const rules: ContractRule[] = [
      { type: 'primary_key_unique' },
      { type: 'primary_key_null' },
      { type: 'duplicate_rate' },
    ];
    const { checks } = await inspector.inspect(rows, { ...both, rules });
    expect(checks.map(({ status, observed }) => [status, observed])).toEqual(Array(3).fill(['PASS', 0]));
  });

  it('compare whole rows where no key is known, but for where they came from', async () => {
    const rows = await aTable([
      ['a', '1'],
      ['a', '1'],
      [null, '1'],
      [null, '1'],
    ]);
    const found = await inspector.check(rows, { type: 'duplicate_rate' });
    expect(found).toMatchObject({ status: 'FAIL', observed: 0.5, sampleKeys: [`${BATCH}:1`, `${BATCH}:1`] });
    expect(await inspector.check(rows, { type: 'primary_key_unique' })).toMatchObject({ status: 'SKIPPED' });
  });

  it('cannot be made where the rows lack a column of the key', async () => {
    const rows = await aTable([
      ['a', '1'],
      ['a', '2'],
      ['a', '3'],
    ]);
    for (const type of ['primary_key_unique', 'primary_key_null', 'duplicate_rate'] as const)
      expect(await inspector.check(rows, { type }, { primaryKey: ['shop', 'gone'] })).toMatchObject({
        status: 'ERROR',
      });
  });

  it('show 10 keys and 5 values at the most, of 64 characters', async () => {
    const long = `${'é😀'.repeat(40)}`;
    const rows = await aTable(Array.from({ length: 40 }, (_, nth) => [nth < 12 ? long : `shop ${nth % 9}`, `${nth}`]));
    const rule: ContractRule = { type: 'accepted_values', column: 'shop', values: ['none'] };
    const { sampleKeys, topViolatingValues } = await inspector.check(rows, rule, { primaryKey: ['number'] });
    expect(sampleKeys).toHaveLength(10);
    expect(topViolatingValues).toHaveLength(5);
    expect(topViolatingValues?.[0]).toBe('é😀'.repeat(32));
  });
});

describe('sensitive columns', () => {
  const failing: ContractRule[] = [
    { type: 'accepted_values', column: 'email', values: ['none'] },
    { type: 'pattern', column: 'email', pattern: 'none' },
    { type: 'null_rate', column: 'email' },
    { type: 'primary_key_unique' },
    { type: 'duplicate_rate' },
    { type: 'range', column: 'amount', minimum: 100 },
    { type: 'cursor_monotonic', column: 'amount' },
  ];
  const previous = { checks: [], measures: { rows: 5, highest: { amount: 1_000 } } };

  it('show none of their values, nor keys that are made of them', async () => {
    const expected = { primaryKey: ['email'], sensitiveColumns: ['email', 'amount'], rules: failing };
    const series = [{ kind: 'COLUMN_MEAN' as const, column: 'amount' }];
    const { checks, values } = await inspector.inspect(people, { ...expected, series }, previous);
    expect(checks.map(({ status }) => status)).toEqual(Array(failing.length).fill('FAIL'));
    expect(JSON.stringify(checks)).not.toMatch(/ada|bob|eve|20|-3|sampleKeys|topViolating/);
    expect(values.size).toBe(0);
  });

  it('do not hide keys of others', async () => {
    const found = await inspector.check(people, failing[0] as ContractRule, { ...KEY, sensitiveColumns: ['email'] });
    expect(found.sampleKeys).toEqual(expect.arrayContaining(['1', '2', '3']));
    expect(found.topViolatingValues).toBeUndefined();
  });
});

describe('checks of the table as a whole', () => {
  const previous = (rows: number) => ({ checks: [], measures: { rows } });

  it('compare columns and types with the contract', async () => {
    const schema = {
      fields: [
        ...PEOPLE.slice(0, 1),
        { name: 'amount', type: 'Decimal' as const, scale: 4 },
        { name: 'gone', type: 'Time' as const },
      ],
    };
    const rules: ContractRule[] = [{ type: 'schema_columns' }, { type: 'schema_types' }];
    const open = await inspector.inspect(people, { schema, rules });
    expect(open.checks.map(({ observed, evidence }) => [observed, evidence?.message])).toEqual([
      [1, 'schema_columns is 1 (missing: "gone"), 0 passes'],
      [
        1,
        'schema_types is 1 ("amount" is Decimal with 2 digits behind the point, not Decimal with 4 digits behind the point), 0 passes',
      ],
    ]);
    const closed = await inspector.check(people, { type: 'schema_columns' }, { schema, allowsNewColumns: false });
    expect(closed.observed).toBe(6);
    expect(closed.message).toContain('unexpected: "email", "ratio", "active", "born", "seen_at"');
    const same = await inspector.inspect(people, { rules, allowsNewColumns: false });
    expect(same.checks.map(({ status }) => status)).toEqual(['PASS', 'PASS']);
  });

  it.each<[ContractRule, Partial<InspectedRows>, number | undefined, object]>([
    [
      { type: 'parse_failures', maxRate: 0.5 },
      { rows: 2, rejectedRows: 2 },
      undefined,
      { status: 'PASS', observed: 0.5 },
    ],
    [
      { type: 'parse_failures' },
      { rows: 9, rejectedRows: 1 },
      undefined,
      { status: 'FAIL', gate: 'GATE_1', observed: 0.1 },
    ],
    [{ type: 'parse_failures' }, { rows: 0 }, undefined, { status: 'SKIPPED' }],
    [
      { type: 'row_count_min' },
      { rows: 0 },
      undefined,
      { status: 'FAIL', comparator: 'GTE', observed: 0, threshold: 1 },
    ],
    [{ type: 'row_count_min', minimum: 3 }, { rows: 3 }, undefined, { status: 'PASS' }],
    [{ type: 'row_count_delta', maxRate: 0.5 }, { rows: 5 }, 10, { status: 'PASS', observed: 0.5 }],
    [
      { type: 'row_count_delta', maxRate: 0.5 },
      { rows: 16 },
      10,
      { status: 'FAIL', message: 'row_count_delta is 0.6 (from 10 rows to 16), 0.5 passes' },
    ],
    [{ type: 'row_count_delta' }, { rows: 5 }, 0, { status: 'SKIPPED' }],
    [{ type: 'row_count_delta' }, { rows: 5 }, undefined, { status: 'SKIPPED' }],
    [{ type: 'deletion_rate', maxRate: 0.1 }, { rows: 8 }, 10, { status: 'FAIL', observed: 0.2 }],
    [{ type: 'deletion_rate' }, { rows: 12 }, 10, { status: 'PASS', observed: 0 }],
    [{ type: 'freshness', maxSeconds: 3600 }, {}, undefined, { status: 'PASS', observed: 3600 }],
    [{ type: 'freshness', maxSeconds: 3599 }, {}, undefined, { status: 'FAIL', gate: 'GATE_2' }],
    [{ type: 'freshness' }, {}, undefined, { status: 'PASS', threshold: 604_800 }],
    [{ type: 'freshness' }, { lastReceivedAt: undefined }, undefined, { status: 'SKIPPED' }],
  ])('know %j of %j after %j rows', async (rule, rows, rowsBefore, found) => {
    const known = rowsBefore === undefined ? undefined : previous(rowsBefore);
    expect(await inspector.check({ ...people, ...rows }, rule, {}, known)).toMatchObject(found);
    expect(inspector.statements).toEqual([]);
  });

  it('take the age of the newest record by the column that says it', async () => {
    const rule: ContractRule = { type: 'freshness', maxSeconds: 86_400 };
    const found = await inspector.check(people, rule, { timestampColumn: 'born' });
    expect(found).toMatchObject({
      status: 'FAIL',
      observed: (Date.UTC(2026, 2, 1, 12) - Date.UTC(1991, 0, 1)) / 1_000,
    });
    expect(await inspector.check(people, rule, { timestampColumn: 'seen_at' })).toMatchObject({ observed: 0 });
  });
});

describe('comparison with the run before', () => {
  it('is made by what it has left behind', async () => {
    const rules: ContractRule[] = [
      { type: 'cursor_monotonic', column: 'id' },
      { type: 'cursor_monotonic', column: 'seen_at' },
      { type: 'distinct_drop', column: 'email', maxRate: 0.2 },
    ];
    const first = await inspector.inspect(people, { rules });
    expect(first.checks.map(({ status }) => status)).toEqual(['SKIPPED', 'SKIPPED', 'SKIPPED']);
    const seen = Date.UTC(2026, 2, 1, 12, 6) / 1_000;
    expect(first.measures).toEqual({ rows: 5, distinct: { email: 3 }, highest: { id: 3, seen_at: seen } });
    const again = await inspector.inspect(people, { rules }, first);
    expect(again.checks.map(({ status, observed }) => [status, observed])).toEqual(Array(3).fill(['PASS', 0]));
    const fewer = await inspector.rowsOf({ fields: PEOPLE, files: [[ADA]] });
    const { checks } = await inspector.inspect(fewer, { rules }, again);
    expect(checks.map(({ status, observed }) => [status, observed])).toEqual([
      ['FAIL', -2],
      ['FAIL', -480],
      ['WARN', 2 / 3],
    ]);
  });

  it('is a number also where highest values lie further apart than any number', async () => {
    const fields: TableField[] = [{ name: 'x', type: 'Double' }];
    const rows = await inspector.rowsOf({ fields, files: [[['-1.7e308']]] });
    const rule: ContractRule = { type: 'cursor_monotonic', column: 'x' };
    const measures = { rows: 1, highest: { x: 1.7e308 } };
    const before = { checks: checksBefore('cursor_monotonic:x', 1.7e308), measures };
    const most = Number.MAX_VALUE;
    expect(await inspector.check(rows, rule, {}, before)).toMatchObject({ observed: -most, runOverRunDelta: -most });
  });

  it('says by how much what is observed differs', async () => {
    const rule: ContractRule = { type: 'null_rate', column: 'email', maxRate: 1 };
    const known = { checks: checksBefore('null_rate:email', 0.5) };
    expect((await inspector.check(people, rule, {}, known)).runOverRunDelta).toBeCloseTo(-0.3, 12);
    expect(await inspector.check(people, rule)).not.toHaveProperty('runOverRunDelta');
    const other = { checks: checksBefore('null_rate:id', 0.5) };
    expect(await inspector.check(people, rule, {}, other)).not.toHaveProperty('runOverRunDelta');
  });
});

describe('series', () => {
  it('have a point where there is a value', async () => {
    const all = PEOPLE.flatMap(({ name: column }) => [
      { kind: 'COLUMN_NULL_RATE' as const, column },
      { kind: 'COLUMN_DISTINCT_COUNT' as const, column },
      { kind: 'COLUMN_MEAN' as const, column },
    ]);
    const series = [
      { kind: 'TABLE_ROW_COUNT' as const },
      { kind: 'TABLE_BYTES' as const },
      { kind: 'TABLE_FRESHNESS_SECONDS' as const },
      ...all,
    ];
    const { values } = await inspector.inspect(people, { series });
    const bytes = people.files.reduce((sum, file) => sum + file.bytes, 0);
    expect(Object.fromEntries(values)).toEqual({
      ...{ TABLE_ROW_COUNT: 5, TABLE_BYTES: bytes, TABLE_FRESHNESS_SECONDS: 3_600 },
      ...{ 'COLUMN_NULL_RATE:id': 0.2, 'COLUMN_DISTINCT_COUNT:id': 3, 'COLUMN_MEAN:id': 1.75 },
      ...{ 'COLUMN_NULL_RATE:email': 0.2, 'COLUMN_DISTINCT_COUNT:email': 3 },
      ...{ 'COLUMN_NULL_RATE:amount': 0.2, 'COLUMN_DISTINCT_COUNT:amount': 3, 'COLUMN_MEAN:amount': 5 },
      ...{ 'COLUMN_NULL_RATE:ratio': 0.4, 'COLUMN_DISTINCT_COUNT:ratio': 2, 'COLUMN_MEAN:ratio': 0.75 },
      ...{ 'COLUMN_NULL_RATE:active': 0.4, 'COLUMN_DISTINCT_COUNT:active': 2 },
      ...{ 'COLUMN_NULL_RATE:born': 0.4, 'COLUMN_DISTINCT_COUNT:born': 2 },
      ...{ 'COLUMN_NULL_RATE:seen_at': 0.2, 'COLUMN_DISTINCT_COUNT:seen_at': 3 },
    });
    const ofNone = await inspector.inspect(nobody, {
      series: series.filter(({ kind }) => kind !== 'COLUMN_DISTINCT_COUNT'),
    });
    expect(Object.fromEntries(ofNone.values)).toEqual({ TABLE_ROW_COUNT: 0, TABLE_BYTES: 0 });
  });

  it('have the mean of the finite values, no point where there are none, and one where a sum is beyond 128 bits', async () => {
    const fields: TableField[] = [
      { name: 'x', type: 'Double' },
      { name: 'huge', type: 'Decimal', scale: 0 },
      { name: 'endless', type: 'Double' },
    ];
    const most = '9'.repeat(38);
    const rows = await inspector.rowsOf({
      fields,
      files: [
        [
          ['Infinity', most, '-Infinity'],
          ['1', most, null],
          ['2', most, 'NaN'],
          ['NaN', most, null],
        ],
      ],
    });
    const series = fields.map(({ name: column }) => ({ kind: 'COLUMN_MEAN' as const, column }));
    const rules: ContractRule[] = [{ type: 'cursor_monotonic', column: 'x' }];
    const { values, measures } = await inspector.inspect(rows, { series, rules });
    expect(Object.fromEntries(values)).toEqual({ 'COLUMN_MEAN:x': 1.5, 'COLUMN_MEAN:huge': 1e38 });
    expect(measures.highest).toEqual({ x: 2 });
  });
});

describe('names', () => {
  it.each(['count', 'rows', 'a"b', "x'); drop table t; --", '__proto__', 'constructor', 'größe 😀', 'select *', '$1'])(
    'of columns may be anything: %s',
    async (column) => {
      const rows = await inspector.rowsOf({
        fields: [{ name: column, type: 'Integer' }],
        files: [[['1'], ['1'], [null]]],
      });
      const { checks, values, measures } = await inspector.inspect(
        rows,
        {
          primaryKey: [column],
          rules: [
            { type: 'null_rate', column },
            { type: 'primary_key_unique' },
            { type: 'cursor_monotonic', column },
            { type: 'accepted_values', column, values: ["'", column] },
          ],
          series: [{ kind: 'COLUMN_MEAN', column }],
        },
        { checks: [], measures: { rows: 3, highest: {}, distinct: {} } },
      );
      expect(checks.map(({ observed }) => observed)).toEqual([1 / 3, 1, undefined, 1]);
      expect(values.get(`COLUMN_MEAN:${column}`)).toBe(1);
      expect(Object.entries(measures.highest ?? {})).toEqual([[column, 1]]);
    },
  );

  it('and texts of rules are data', async () => {
    const texts = ["'; select 1; --", "' or true --", '\\', '"', '$1'];
    const fields: TableField[] = [{ name: 'text', type: 'String' }];
    const rows = await inspector.rowsOf({ fields, files: [texts.map((text) => [text])] });
    for (const text of texts) {
      const one = await inspector.check(rows, { type: 'accepted_values', column: 'text', values: [text] });
      expect(one.observed).toBe(0.8);
      const pattern = text.replace(/[\\$|]/g, '\\$&');
      expect((await inspector.check(rows, { type: 'pattern', column: 'text', pattern })).observed).toBe(0.8);
    }
  });
});

describe('reading', () => {
  const everything: ContractRule[] = PEOPLE.flatMap(({ name: column }) => [
    { type: 'null_rate', column, maxRate: 1 },
    { type: 'distinct_drop', column, maxRate: 1 },
  ]);

  it('happens once for all aggregates, and once more for exact duplicates', async () => {
    const rules: ContractRule[] = [
      ...everything,
      { type: 'range', column: 'amount', minimum: -100 },
      { type: 'primary_key_null' },
      { type: 'primary_key_unique' },
      { type: 'duplicate_rate', maxRate: 1 },
    ];
    const series = PEOPLE.map(({ name: column }) => ({ kind: 'COLUMN_NULL_RATE' as const, column }));
    const rows = await inspector.rowsOf({ fields: PEOPLE, files: [[ADA], [BOB]] });
    const { checks } = await inspector.inspect(rows, { ...KEY, rules, series });
    expect(new Set(checks.map(({ status }) => status))).toEqual(new Set(['PASS', 'SKIPPED']));
    expect(inspector.statements).toHaveLength(2);
    expect(inspector.statements[0]?.match(/count\("email"\)/g)).toHaveLength(1);
  });

  it('happens again for what failed, twice a check at the most', async () => {
    const rules: ContractRule[] = [
      ...everything,
      { type: 'range', column: 'amount', minimum: 0 },
      { type: 'null_rate', column: 'email' },
    ];
    await inspector.inspect(people, { ...KEY, rules });
    expect(inspector.statements).toHaveLength(1 + 2 + 1);
  });

  it('names no column that it need not read', async () => {
    const rules: ContractRule[] = [
      { type: 'range', column: 'amount', minimum: 0 },
      { type: 'null_rate', column: 'email' },
    ];
    await inspector.inspect(people, { ...KEY, rules });
    const named = inspector.statements.map((sql) =>
      PEOPLE.map(({ name }) => name).filter((name) => sql.includes(name)),
    );
    expect(named).toEqual([['email', 'amount'], ['id', 'amount'], ['amount'], ['id', 'email']]);
  });

  it('searches for the rows of the first 20 checks that failed, and judges all', async () => {
    const fields: TableField[] = Array.from({ length: 22 }, (_, nth) => ({ name: `c${nth}`, type: 'String' }));
    const rows = await inspector.rowsOf({ fields, files: [[fields.map(({ name }) => (name === 'c0' ? 'z' : 'v'))]] });
    const rules = fields.map(({ name: column }): ContractRule => ({ type: 'pattern', column, pattern: 'z' }));
    const { checks } = await inspector.inspect(rows, { rules });
    expect(checks.map(({ status }) => status)).toEqual(['PASS', ...Array(21).fill('FAIL')]);
    const shown = checks.map(({ evidence }) => evidence?.topViolatingValues);
    expect(shown).toEqual([undefined, ...Array(20).fill(['v']), undefined]);
    expect(checks.at(-1)?.evidence?.message).toContain('1 of 1 values');
  });

  it('ends where it is called off', async () => {
    const calling = new AbortController();
    const rules: ContractRule[] = [{ type: 'pattern', column: 'email', pattern: 'z' }];
    const inspection = inspector.inspect(people, { rules }, undefined, calling.signal);
    const reason = new Error('called off');
    calling.abort(reason);
    await expect(inspection).rejects.toBe(reason);
    const endless = 'select sum(hash(a.range + b.range)) from range(10_000_000) a, range(10_000_000) b';
    const calledOff = AbortSignal.timeout(50);
    const work = inspector.duckdb.connect((connection) => connection.run(endless), calledOff);
    await expect(work).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('takes no pattern for a faulty one where something else goes wrong', async () => {
    const broken = {
      connect: (work: (connection: object) => unknown) => work({ run: () => Promise.reject(OUT_OF_MEMORY) }),
    };
    await expect(faultyPatterns(broken as never, ['a'])).rejects.toBe(OUT_OF_MEMORY);
    expect(await faultyPatterns(inspector.duckdb, ['a', '(', '(?=a)', 'a\0b'])).toEqual(
      new Set(['(', '(?=a)', 'a\0b']),
    );
  });

  it('tells of a file that is gone', async () => {
    const files = [{ key: 'tables/gone.parquet', bytes: 1 }];
    await expect(inspector.check({ ...people, files }, everything[0] as ContractRule)).rejects.toMatchObject({
      name: 'FileMissing',
    });
  });

  it('takes no file where the number of rows says it all, or there are none', async () => {
    const files = [{ key: 'tables/gone.parquet', bytes: 7 }];
    const rules: ContractRule[] = [
      { type: 'row_count_min' },
      { type: 'schema_types' },
      { type: 'freshness' },
      { type: 'primary_key_null' },
    ];
    const { checks, values } = await inspector.inspect(
      { ...people, files },
      { rules, series: [{ kind: 'TABLE_BYTES' }] },
    );
    expect(checks.map(({ status }) => status)).toEqual(['PASS', 'PASS', 'PASS', 'SKIPPED']);
    expect([...values]).toEqual([['TABLE_BYTES', 7]]);
    await inspector.inspect(nobody, {
      ...KEY,
      rules: [...everything, { type: 'primary_key_unique' }, { type: 'duplicate_rate' }],
    });
    expect(inspector.statements).toEqual([]);
  });
});
