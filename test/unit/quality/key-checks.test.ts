import { describe, expect, it } from 'vitest';
import type { ContractRule } from '../../../src/quality/contracts/table-contract.js';
import type { TableField } from '../../../src/tables/table-schema.js';
import { BATCH } from '../../support/quality/check-runner.js';
import { checkedPeople, PRIMARY_KEY } from '../../support/quality/people-rows.js';

const { inspector, people } = await checkedPeople();

describe('checks of keys', () => {
  const ORDERS: readonly TableField[] = [
    { name: 'shop', type: 'String' },
    { name: 'number', type: 'Integer' },
  ];
  const aTable = (rows: (string | null)[][]) =>
    inspector.rowsOf({ fields: ORDERS, files: [rows.slice(0, 2), rows.slice(2)] });
  const both = { primaryKey: ['shop', 'number'] };

  it('count the rows that repeat a complete key, and show the most frequent keys', async () => {
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
    expect(unique?.evidence?.message).toBe('primary_key_unique is 3 (3 of 8 rows); 0 is required');
  });

  it('pass if all keys are unique', async () => {
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

  it('compare all columns except the origin columns if there is no key', async () => {
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

  it('are ERROR if the rows lack a column of the key', async () => {
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

  it('show at most 10 keys and 5 values, with at most 64 characters', async () => {
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

  it('show neither values nor keys with their values', async () => {
    const expected = { primaryKey: ['email'], sensitiveColumns: ['email', 'amount'], rules: failing };
    const series = [{ kind: 'COLUMN_MEAN' as const, column: 'amount' }];
    const { checks, values } = await inspector.inspect(people, { ...expected, series }, previous);
    expect(checks.map(({ status }) => status)).toEqual(Array(failing.length).fill('FAIL'));
    expect(JSON.stringify(checks)).not.toMatch(/ada|bob|eve|20|-3|sampleKeys|topViolating/);
    expect(values.size).toBe(0);
  });

  it('do not hide keys of other columns', async () => {
    const found = await inspector.check(people, failing[0] as ContractRule, {
      ...PRIMARY_KEY,
      sensitiveColumns: ['email'],
    });
    expect(found.sampleKeys).toEqual(expect.arrayContaining(['1', '2', '3']));
    expect(found.topViolatingValues).toBeUndefined();
  });
});
