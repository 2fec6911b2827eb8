import { describe, expect, it } from 'vitest';
import { findInvalidPatterns } from '../../../src/quality/checks/find-invalid-patterns.js';
import type { ContractRule } from '../../../src/quality/contracts/table-contract.js';
import type { TableField } from '../../../src/tables/table-schema.js';
import { ADA, BOB, checkedPeople, PEOPLE_FIELDS, PRIMARY_KEY } from '../../support/quality/people-rows.js';

const { inspector, people, nobody } = await checkedPeople();

const OUT_OF_MEMORY = new Error('Out of Memory Error: failed to allocate');

describe('names', () => {
  it.each(['count', 'rows', 'a"b', "x'); drop table t; --", '__proto__', 'constructor', 'größe 😀', 'select *', '$1'])(
    'of columns may contain any characters: %s',
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
      expect(values.get(`COLUMN_MEAN:${column}`)).toEqual({ value: 1 });
      expect(Object.entries(measures.highest ?? {})).toEqual([[column, 1]]);
    },
  );

  it('of columns and strings of rules are escaped', async () => {
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

describe('the scan', () => {
  const everything: ContractRule[] = PEOPLE_FIELDS.flatMap(({ name: column }) => [
    { type: 'null_rate', column, maxRate: 1 },
    { type: 'distinct_drop', column, maxRate: 1 },
  ]);

  it('runs once for all aggregates, and once more for exact duplicates', async () => {
    const rules: ContractRule[] = [
      ...everything,
      { type: 'range', column: 'amount', minimum: -100 },
      { type: 'primary_key_null' },
      { type: 'primary_key_unique' },
      { type: 'duplicate_rate', maxRate: 1 },
    ];
    const series = PEOPLE_FIELDS.map(({ name: column }) => ({ kind: 'COLUMN_NULL_RATE' as const, column }));
    const rows = await inspector.rowsOf({ fields: PEOPLE_FIELDS, files: [[ADA], [BOB]] });
    const { checks } = await inspector.inspect(rows, { ...PRIMARY_KEY, rules, series });
    expect(new Set(checks.map(({ status }) => status))).toEqual(new Set(['PASS', 'SKIPPED']));
    expect(inspector.statements).toHaveLength(2);
    expect(inspector.statements[0]?.match(/count\("email"\)/g)).toHaveLength(1);
  });

  it('runs at most twice more for the evidence of a failed check', async () => {
    const rules: ContractRule[] = [
      ...everything,
      { type: 'range', column: 'amount', minimum: 0 },
      { type: 'null_rate', column: 'email' },
    ];
    await inspector.inspect(people, { ...PRIMARY_KEY, rules });
    expect(inspector.statements).toHaveLength(1 + 2 + 1);
  });

  it('reads only the columns that the checks need', async () => {
    const rules: ContractRule[] = [
      { type: 'range', column: 'amount', minimum: 0 },
      { type: 'null_rate', column: 'email' },
    ];
    await inspector.inspect(people, { ...PRIMARY_KEY, rules });
    const named = inspector.statements.map((sql) =>
      PEOPLE_FIELDS.map(({ name }) => name).filter((name) => sql.includes(`"${name}"`)),
    );
    expect(named).toEqual([['email', 'amount'], ['id', 'amount'], ['amount'], ['id', 'email']]);
  });

  it('collects evidence for the first 20 failed checks and evaluates all checks', async () => {
    const fields: TableField[] = Array.from({ length: 22 }, (_, nth) => ({ name: `c${nth}`, type: 'String' }));
    const rows = await inspector.rowsOf({ fields, files: [[fields.map(({ name }) => (name === 'c0' ? 'z' : 'v'))]] });
    const rules = fields.map(({ name: column }): ContractRule => ({ type: 'pattern', column, pattern: 'z' }));
    const { checks } = await inspector.inspect(rows, { rules });
    expect(checks.map(({ status }) => status)).toEqual(['PASS', ...Array(21).fill('FAIL')]);
    const shown = checks.map(({ evidence }) => evidence?.topViolatingValues);
    expect(shown).toEqual([undefined, ...Array(20).fill(['v']), undefined]);
    expect(checks.at(-1)?.evidence?.message).toContain('1 of 1 values');
  });

  it('stops when the signal is aborted', async () => {
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

  it('does not report a pattern as invalid after an unrelated error', async () => {
    const broken = {
      connect: (work: (connection: object) => unknown) => work({ run: () => Promise.reject(OUT_OF_MEMORY) }),
    };
    await expect(findInvalidPatterns(broken as never, ['a'])).rejects.toBe(OUT_OF_MEMORY);
    expect(await findInvalidPatterns(inspector.duckdb, ['a', '(', '(?=a)', 'a\0b'])).toEqual(
      new Set(['(', '(?=a)', 'a\0b']),
    );
  });

  it('throws for a missing file', async () => {
    const files = [{ key: 'tables/gone.parquet', bytes: 1 }];
    await expect(inspector.check({ ...people, files }, everything[0] as ContractRule)).rejects.toMatchObject({
      name: 'FileNotFoundError',
    });
  });

  it('opens no file if the row count suffices or there are no files', async () => {
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
    expect([...values]).toEqual([['TABLE_BYTES', { value: 7 }]]);
    await inspector.inspect(nobody, {
      ...PRIMARY_KEY,
      rules: [...everything, { type: 'primary_key_unique' }, { type: 'duplicate_rate' }],
    });
    expect(inspector.statements).toEqual([]);
  });
});
