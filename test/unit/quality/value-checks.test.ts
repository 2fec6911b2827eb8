import { describe, expect, it } from 'vitest';
import type { ContractRule } from '../../../src/quality/contracts/table-contract.js';
import type { TableField } from '../../../src/tables/table-schema.js';
import { BATCH } from '../../support/quality/check-runner.js';
import { checkedPeople, EMPTY_PERSON, PEOPLE_FIELDS, PRIMARY_KEY } from '../../support/quality/people-rows.js';

const { inspector, people, nobody } = await checkedPeople();

describe('checks of values', () => {
  const passes: [ContractRule, number, string][] = [
    [
      { type: 'null_rate', column: 'email', maxRate: 0.2 },
      0.2,
      'null_rate of "email" is 0.2 (1 of 5 rows); at most 0.2 is allowed',
    ],
    [{ type: 'accepted_values', column: 'id', values: ['1', '2', '3'] }, 0, '(0 of 4 values); at most 0 is allowed'],
    [{ type: 'range', column: 'amount', minimum: -3, maximum: 20 }, 0, '(0 of 4 values)'],
    [{ type: 'range', column: 'id', minimum: 1 }, 0, '(0 of 4 values)'],
    [{ type: 'pattern', column: 'email', pattern: '[a-z]+(@example\\.com)?' }, 0, '(0 of 4 values)'],
    [
      { type: 'future_timestamp', column: 'seen_at', maxRate: 0.25 },
      0.25,
      '0.25 (1 of 4 values); at most 0.25 is allowed',
    ],
    [{ type: 'future_timestamp', column: 'born' }, 0, '(0 of 3 values)'],
  ];
  it.each(passes)('pass if the failing share is within the limit: %j', async (rule, observed, message) => {
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
  it.each(fails)(
    'fail if the failing share exceeds the limit, and show keys and values: %j',
    async (rule, observed, keys, values) => {
      const found = await inspector.check(people, rule, PRIMARY_KEY);
      expect(found).toMatchObject({ status: 'FAIL', gate: 'GATE_2', observed });
      expect([...new Set(found.sampleKeys)].sort()).toEqual([...keys].sort());
      expect(found.topViolatingValues).toEqual(values);
    },
  );

  it('tolerate clocks 5 minutes ahead and warn about later times', async () => {
    expect(await inspector.check(people, { type: 'future_timestamp', column: 'seen_at' }, PRIMARY_KEY)).toMatchObject({
      ...{ status: 'WARN', gate: 'GATE_3', observed: 0.25, sampleKeys: ['2'] },
      topViolatingValues: ['2026-03-01T12:06:00.000Z'],
    });
  });

  it('treat NaN as out of range', async () => {
    const fields: TableField[] = [{ name: 'x', type: 'Double' }];
    const rows = await inspector.rowsOf({ fields, files: [[['NaN'], ['1'], ['-Infinity']]] });
    const found = await inspector.check(rows, { type: 'range', column: 'x', minimum: 0 });
    expect(found).toMatchObject({ observed: 2 / 3, sampleKeys: [`${BATCH}:1`, `${BATCH}:3`] });
  });

  it('accept decimals without a digit before the point', async () => {
    const fields: TableField[] = [{ name: 'x', type: 'Decimal', scale: 38 }];
    const rows = await inspector.rowsOf({ fields, files: [[['0'], ['0.5'], ['-0.25'], ['0.125']]] });
    const found = await inspector.check(rows, { type: 'accepted_values', column: 'x', values: ['0', '0.5'] });
    expect(found).toMatchObject({ observed: 0.5, topViolatingValues: ['-0.25', '0.125'] });
  });

  it('compare a Double by value regardless of notation', async () => {
    const fields: TableField[] = [{ name: 'x', type: 'Double' }];
    const texts = [
      '0',
      '0.1',
      '1e-4',
      '0.00001',
      '1.5E-7',
      '-2.50',
      '1e15',
      '1e16',
      '1e21',
      '123456789012345678',
      '1.7e308',
    ];
    const values = [...texts, '5e-324', '1e-310', 'NaN', 'Infinity', '-Infinity'];
    const rows = await inspector.rowsOf({ fields, files: [[...values, '7'].map((value) => [value])] });
    const rule: ContractRule = { type: 'accepted_values', column: 'x', values: [...values, '0.10', 'none', ''] };
    expect(await inspector.check(rows, rule)).toMatchObject({ observed: 1 / 17, topViolatingValues: ['7'] });
  });

  it('treat -0 as 0', async () => {
    const fields: TableField[] = [{ name: 'x', type: 'Double' }];
    const rows = await inspector.rowsOf({ fields, files: [[['-0'], ['0'], ['1']]] });
    const rule: ContractRule = { type: 'accepted_values', column: 'x', values: ['0'] };
    expect(await inspector.check(rows, rule)).toMatchObject({ observed: 1 / 3, topViolatingValues: ['1'] });
  });

  it.each<[TableField, string[], string[]]>([
    [{ name: 'x', type: 'Decimal', scale: 2 }, ['1.5', '-20', '0', '0.25'], ['1.50', '-20.00', '-0.0', '00.250']],
    [{ name: 'x', type: 'Decimal', scale: 38 }, ['0.5', '-0.25'], ['.5', '-.250']],
    [{ name: 'x', type: 'Integer' }, ['100', '-7', '0'], ['+100', '-7.0', '000']],
  ])('compare numbers of %j by value regardless of notation', async (field, present, values) => {
    const rows = await inspector.rowsOf({ fields: [field], files: [present.map((value) => [value])] });
    const rule: ContractRule = { type: 'accepted_values', column: 'x', values: [...values, '.', '-', '1e', ''] };
    expect(await inspector.check(rows, rule)).toMatchObject({ observed: 0, status: 'PASS' });
  });

  it('compare digits in a String as text', async () => {
    const rows = await inspector.rowsOf({ fields: [{ name: 'x', type: 'String' }], files: [[['1.5'], ['01']]] });
    const rule: ContractRule = { type: 'accepted_values', column: 'x', values: ['1.50', '1'] };
    expect(await inspector.check(rows, rule)).toMatchObject({ observed: 1 });
  });

  it('support a thousand accepted values with repetitions', async () => {
    const values = [...Array.from({ length: 1_000 }, (_, nth) => `value '${nth}'`), 'eve', 'eve', 'a\0b', ''];
    const found = await inspector.check(people, { type: 'accepted_values', column: 'email', values });
    expect(found).toMatchObject({ observed: 0.75 });
  });

  it('are skipped without values', async () => {
    const empty = await inspector.rowsOf({ fields: PEOPLE_FIELDS, files: [[EMPTY_PERSON]] });
    const rule: ContractRule = { type: 'range', column: 'amount', minimum: 0 };
    for (const rows of [empty, nobody]) {
      const found = await inspector.check(rows, rule);
      expect(found).toMatchObject({ status: 'SKIPPED', message: 'range of "amount": no values' });
      expect(found.observed).toBeUndefined();
    }
    expect(await inspector.check(nobody, { type: 'null_rate', column: 'id' })).toMatchObject({ status: 'SKIPPED' });
  });

  it.each<[ContractRule, string]>([
    [{ type: 'range', column: 'email', minimum: 0 }, 'the check does not support columns of type String'],
    [{ type: 'range', column: 'id' }, 'the rule has neither minimum nor maximum'],
    [{ type: 'pattern', column: 'id', pattern: '1' }, 'the check does not support columns of type Integer'],
    [{ type: 'pattern', column: 'email', pattern: '(' }, 'the pattern is not a valid RE2 regular expression'],
    [{ type: 'pattern', column: 'email', pattern: '(?=a)\0' }, 'the pattern is not a valid RE2 regular expression'],
    [{ type: 'pattern', column: 'email' }, 'the rule has no pattern'],
    [{ type: 'accepted_values', column: 'email', values: [] }, 'the rule has no values'],
    [{ type: 'future_timestamp', column: 'email' }, 'the check does not support columns of type String'],
    [{ type: 'cursor_monotonic', column: 'email' }, 'the check does not support columns of type String'],
    [{ type: 'distinct_drop', column: 'gone' }, 'the column does not exist'],
    [{ type: 'null_rate' }, 'the rule has no column'],
    [{ type: 'freshness' }, 'the column does not exist'],
  ])('that cannot run report the reason and do not affect other checks: %j', async (rule, why) => {
    const sound: ContractRule = { type: 'null_rate', column: 'email', maxRate: 1 };
    const { checks } = await inspector.inspect(people, { rules: [rule, sound], timestampColumn: 'gone' });
    expect(checks.map(({ status }) => status)).toEqual(['ERROR', 'PASS']);
    expect(checks[0]?.evidence?.message).toMatch(new RegExp(`: ${why}$`));
  });

  it('treat a column that the rows lack as null', async () => {
    const found = await inspector.check(people, { type: 'null_rate', column: 'gone' });
    expect(found).toMatchObject({
      status: 'FAIL',
      observed: 1,
      message: 'null_rate of "gone" is 1 (5 of 5 rows); at most 0 is allowed',
    });
  });
});

describe('columns that files lack', () => {
  it('are null in their rows, whether some or all files lack them', async () => {
    const [old, latest] = [PEOPLE_FIELDS.slice(0, 1), PEOPLE_FIELDS.slice(0, 2)];
    const files = [await inspector.keep(old, [['1'], ['2']]), await inspector.keep(latest, [['3', 'eve']])];
    const rows = { ...people, files, rows: 3, schema: { fields: PEOPLE_FIELDS } };
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
    expect(values).toEqual(new Map([['COLUMN_DISTINCT_COUNT:born', { value: 0 }]]));
  });
});
