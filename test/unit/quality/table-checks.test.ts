import { describe, expect, it } from 'vitest';
import type { InspectedRows } from '../../../src/quality/checks/inspection.js';
import type { ContractRule } from '../../../src/quality/contracts/table-contract.js';
import type { CheckResult } from '../../../src/quality/results/table-quality-result.js';
import type { SeriesValue } from '../../../src/quality/spc/series-value.js';
import { RECORD_FIELDS, type TableField } from '../../../src/tables/table-schema.js';
import { ADA, checkedPeople, PEOPLE_FIELDS } from '../../support/quality/people-rows.js';

const { inspector, people, nobody } = await checkedPeople();

/** The service uses only these two properties of earlier checks. */
const checksBefore = (key: string, observed: number) => [{ key, observed } as CheckResult];

describe('checks of the whole table', () => {
  const previous = (rows: number) => ({ checks: [], measures: { rows } });

  it('compare columns and types with the contract', async () => {
    const schema = {
      fields: [
        ...PEOPLE_FIELDS.slice(0, 1),
        { name: 'amount', type: 'Decimal' as const, scale: 4 },
        { name: 'gone', type: 'Time' as const },
      ],
    };
    const rules: ContractRule[] = [{ type: 'schema_columns' }, { type: 'schema_types' }];
    const open = await inspector.inspect(people, { schema, rules });
    expect(open.checks.map(({ observed, evidence }) => [observed, evidence?.message])).toEqual([
      [1, 'schema_columns is 1 (missing: "gone"); 0 is required'],
      [
        1,
        'schema_types is 1 ("amount" is Decimal with 2 decimal places, not Decimal with 4 decimal places); 0 is required',
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
      { status: 'FAIL', message: 'row_count_delta is 0.6 (from 10 to 16 rows); at most 0.5 is allowed' },
    ],
    [{ type: 'row_count_delta' }, { rows: 5 }, 0, { status: 'SKIPPED' }],
    [{ type: 'row_count_delta' }, { rows: 5 }, undefined, { status: 'SKIPPED' }],
    [{ type: 'deletion_rate', maxRate: 0.1 }, { rows: 8 }, 10, { status: 'FAIL', observed: 0.2 }],
    [{ type: 'deletion_rate' }, { rows: 12 }, 10, { status: 'PASS', observed: 0 }],
    [{ type: 'freshness', maxSeconds: 3600 }, {}, undefined, { status: 'PASS', observed: 3600 }],
    [{ type: 'freshness', maxSeconds: 3599 }, {}, undefined, { status: 'FAIL', gate: 'GATE_2' }],
    [{ type: 'freshness' }, {}, undefined, { status: 'PASS', threshold: 604_800 }],
    [{ type: 'freshness' }, { lastReceivedAt: undefined }, undefined, { status: 'SKIPPED' }],
  ])('evaluate %j for %j after %j rows', async (rule, rows, rowsBefore, found) => {
    const known = rowsBefore === undefined ? undefined : previous(rowsBefore);
    expect(await inspector.check({ ...people, ...rows }, rule, {}, known)).toMatchObject(found);
    expect(inspector.statements).toEqual([]);
  });

  it('compute the age of the newest record from the timestampColumn', async () => {
    const rule: ContractRule = { type: 'freshness', maxSeconds: 86_400 };
    const found = await inspector.check(people, rule, { timestampColumn: 'born' });
    expect(found).toMatchObject({
      status: 'FAIL',
      observed: (Date.UTC(2026, 2, 1, 12) - Date.UTC(1991, 0, 1)) / 1_000,
    });
    expect(await inspector.check(people, rule, { timestampColumn: 'seen_at' })).toMatchObject({ observed: 0 });
  });
});

describe('comparison with the previous run', () => {
  it('uses its stored measures', async () => {
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
    const fewer = await inspector.rowsOf({ fields: PEOPLE_FIELDS, files: [[ADA]] });
    const { checks } = await inspector.inspect(fewer, { rules }, again);
    expect(checks.map(({ status, observed }) => [status, observed])).toEqual([
      ['FAIL', -2],
      ['FAIL', -480],
      ['WARN', 2 / 3],
    ]);
    expect(checks.map(({ evidence }) => evidence?.message)).toEqual([
      'cursor_monotonic of "id" is -2 (the highest value is 2 below the highest value of the previous run); at least 0 is required',
      expect.stringContaining(
        '(the highest value is 480 seconds below the highest value of the previous run); at least 0 is required',
      ),
      expect.any(String),
    ]);
    expect(again.checks[0]?.evidence?.message).toContain(
      '(the highest value is equal to the highest value of the previous run)',
    );
  });

  it('is finite even if the difference of highest values overflows', async () => {
    const fields: TableField[] = [{ name: 'x', type: 'Double' }];
    const rows = await inspector.rowsOf({ fields, files: [[['-1.7e308']]] });
    const rule: ContractRule = { type: 'cursor_monotonic', column: 'x' };
    const measures = { rows: 1, highest: { x: 1.7e308 } };
    const before = { checks: checksBefore('cursor_monotonic:x', 1.7e308), measures };
    const most = Number.MAX_VALUE;
    expect(await inspector.check(rows, rule, {}, before)).toMatchObject({ observed: -most, runOverRunDelta: -most });
  });

  it('reports the difference of the observed values', async () => {
    const rule: ContractRule = { type: 'null_rate', column: 'email', maxRate: 1 };
    const known = { checks: checksBefore('null_rate:email', 0.5) };
    expect((await inspector.check(people, rule, {}, known)).runOverRunDelta).toBeCloseTo(-0.3, 12);
    expect(await inspector.check(people, rule)).not.toHaveProperty('runOverRunDelta');
    const other = { checks: checksBefore('null_rate:id', 0.5) };
    expect(await inspector.check(people, rule, {}, other)).not.toHaveProperty('runOverRunDelta');
  });
});

const pointsOf = (values: ReadonlyMap<string, SeriesValue>) =>
  Object.fromEntries(
    [...values].map(([key, { value, sampleSize }]) => [key, sampleSize ? [value, sampleSize] : value]),
  );

describe('series', () => {
  it('have a point if there is a value, and shares the number of rows', async () => {
    const all = PEOPLE_FIELDS.flatMap(({ name: column }) => [
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
    expect(pointsOf(values)).toEqual({
      ...{ TABLE_ROW_COUNT: 5, TABLE_BYTES: bytes, TABLE_FRESHNESS_SECONDS: 3_600 },
      ...{ 'COLUMN_NULL_RATE:id': [0.2, 5], 'COLUMN_DISTINCT_COUNT:id': 3, 'COLUMN_MEAN:id': 1.75 },
      ...{ 'COLUMN_NULL_RATE:email': [0.2, 5], 'COLUMN_DISTINCT_COUNT:email': 3 },
      ...{ 'COLUMN_NULL_RATE:amount': [0.2, 5], 'COLUMN_DISTINCT_COUNT:amount': 3, 'COLUMN_MEAN:amount': 5 },
      ...{ 'COLUMN_NULL_RATE:ratio': [0.4, 5], 'COLUMN_DISTINCT_COUNT:ratio': 2, 'COLUMN_MEAN:ratio': 0.75 },
      ...{ 'COLUMN_NULL_RATE:active': [0.4, 5], 'COLUMN_DISTINCT_COUNT:active': 2 },
      ...{ 'COLUMN_NULL_RATE:born': [0.4, 5], 'COLUMN_DISTINCT_COUNT:born': 2 },
      ...{ 'COLUMN_NULL_RATE:seen_at': [0.2, 5], 'COLUMN_DISTINCT_COUNT:seen_at': 3 },
    });
    const ofNone = await inspector.inspect(nobody, {
      series: series.filter(({ kind }) => kind !== 'COLUMN_DISTINCT_COUNT'),
    });
    expect(pointsOf(ofNone.values)).toEqual({ TABLE_ROW_COUNT: 0, TABLE_BYTES: 0 });
  });

  it('have the mean of the finite values, without overflow of 128-bit sums, and no point without finite values', async () => {
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
    expect(pointsOf(values)).toEqual({ 'COLUMN_MEAN:x': 1.5, 'COLUMN_MEAN:huge': 1e38 });
    expect(measures.highest).toEqual({ x: 2 });
  });
});

describe('missing_rate', () => {
  const fields: readonly TableField[] = [{ name: 'id', type: 'Integer' }];
  const rule: ContractRule = { type: 'missing_rate', maxRate: 0.3 };
  const idsFrom = (first: number, count: number): (string | null)[][] =>
    Array.from({ length: count }, (_, nth) => [String(first + nth)]);

  async function check(old: (string | null)[][], fresh: (string | null)[][], primaryKey = ['id']) {
    const rows = await inspector.rowsOf({ fields, files: fresh.length > 0 ? [fresh] : [] });
    const replaced = await inspector.rowsOf({
      fields,
      files: [old.slice(0, 1), old.slice(1)].filter(({ length }) => length > 0),
    });
    return inspector.check({ ...rows, replaced }, rule, { primaryKey });
  }

  it('is the share of the replaced records, by key, that the new rows do not contain', async () => {
    expect(await check(idsFrom(1, 20), idsFrom(7, 20))).toMatchObject({ status: 'PASS', observed: 0.3 });
    expect(await check([...idsFrom(1, 20), ['1'], [null]], idsFrom(8, 20))).toMatchObject({
      ...{ gate: 'GATE_1', status: 'FAIL', observed: 0.35 },
      message: 'missing_rate is 0.35 (7 of 20 records); at most 0.3 is allowed',
    });
  });

  it('does not count deleted records and earlier versions of the replaced rows', async () => {
    const names = [...fields, ...RECORD_FIELDS, { name: '_valid_to', type: 'DateTimeOffset' } as const];
    const rowOf = (id: string, deleted: string | null, until: string | null = null, second = 1) => [
      ...[id, id, `2024-01-01T00:00:0${second}Z`, deleted, until],
    ];
    const old = [
      ...idsFrom(1, 20).map(([id]) => rowOf(id as string, null)),
      ...idsFrom(21, 5).map(([id]) => rowOf(id as string, 'true')),
      ...idsFrom(26, 5).map(([id]) => rowOf(id as string, null, '2024-01-02T00:00:00Z')),
      ...idsFrom(31, 5).flatMap(([id]) => [rowOf(id as string, null), rowOf(id as string, 'true', null, 2)]),
      ...idsFrom(1, 2).flatMap(([id]) => [rowOf(id as string, 'true', null, 0)]),
    ];
    const replaced = await inspector.rowsOf({ fields: names, files: [old] });
    const rows = await inspector.rowsOf({ fields, files: [idsFrom(7, 14)] });
    expect(await inspector.check({ ...rows, replaced }, rule, { primaryKey: ['id'] })).toMatchObject({ observed: 0.3 });
  });

  it('is the decrease in the number of rows without a primary key', async () => {
    expect(await check(idsFrom(1, 20), idsFrom(100, 13), [])).toMatchObject({ status: 'FAIL', observed: 0.35 });
    expect(await check(idsFrom(1, 20), idsFrom(100, 30), [])).toMatchObject({ status: 'PASS', observed: 0 });
  });

  it('ignores fewer than 5 missing records, but not a read without records', async () => {
    expect(await check(idsFrom(1, 4), idsFrom(100, 1))).toMatchObject({ status: 'PASS', observed: 0 });
    expect(await check(idsFrom(1, 1), [])).toMatchObject({ status: 'FAIL', observed: 1 });
    expect(await check([], idsFrom(1, 1))).toMatchObject({ status: 'SKIPPED' });
  });
});
