import { describe, expect, it } from 'vitest';
import { decodeId } from '../../src/kernel/ids.js';
import type { QualityServices } from '../../src/quality/runs/quality-services.js';
import { monitoredTables } from '../support/quality/monitored-tables.js';
import {
  changeContract,
  checkStatusesOf,
  degradedScopesOf,
  qualityOf,
  spcOf,
} from '../support/quality/quality-results.js';

const { world, run, monitor, usingFiles, aTable, resultsOf, report } = await monitoredTables();

describe('a table that is too large', () => {
  it('gets results that need no file, and an ERROR for all other checks', async () => {
    const rules = [
      { type: 'null_rate' as const, column: 'word' },
      { type: 'freshness' as const, maxSeconds: 86_400 },
      { type: 'row_count_delta' as const },
      { type: 'duplicate_rate' as const },
      { type: 'pattern' as const, column: 'gone', pattern: 'a' },
    ];
    const series = [{ kind: 'TABLE_BYTES' as const }, { kind: 'COLUMN_NULL_RATE' as const, column: 'word' }];
    const table = await aTable({ rules, series }, 'a');
    await world.query('update table_file set bytes = $2 where table_id = $1', [decodeId(table.tableId), 2 ** 37]);
    await monitor(table);
    const [result] = await resultsOf(table);
    expect(checkStatusesOf(result as never)).toEqual([
      ...['null_rate:word ERROR', 'freshness PASS', 'row_count_delta SKIPPED', 'duplicate_rate ERROR'],
      'pattern:gone ERROR',
    ]);
    const why = result?.checks.map(({ evidence }) => evidence?.message ?? '');
    for (const at of [0, 3]) expect(why?.[at]).toContain('128 GiB');
    expect(why?.[4]).toBe('pattern of "gone": the column does not exist');
    const [spc] = await spcOf(world.query, table.tableId, 'data');
    expect(spc?.series.map(({ seriesKind }) => seriesKind)).toEqual(['TABLE_BYTES']);
  });
});

describe('stored results', () => {
  it('are the latest 1,000 of each kind, and the result that the next run is compared with', async () => {
    const table = await aTable({}, 'a');
    const [contract] = await world.query(
      `select id, tenant_id from table_contract where table_id = $1 and scope = 'tap'`,
      [decodeId(table.tableId)],
    );
    const own = [contract?.tenant_id, contract?.id];
    await world.query(
      `insert into table_quality_result (id, tenant_id, contract_id, run_id, captured_at, overall_status, lifecycle, checks)
       select gen_random_uuid(), $1, $2, 'stopped ' || nth, now() + make_interval(secs => nth), 'FAIL', 'promote', '[]' from generate_series(1, 1100) nth`,
      own,
    );
    await world.query(
      `insert into table_spc_result (id, tenant_id, contract_id, run_id, captured_at, overall_status, window_size, series)
       select gen_random_uuid(), $1, $2, 'other ' || nth, now() + make_interval(secs => nth), 'IN_BOUNDS', 30, '[]' from generate_series(1, 1100) nth`,
      own,
    );
    await monitor(table);
    const kept = await qualityOf(world.query, table.tableId, 'tap');
    expect([kept.length, kept[0]?.runId, kept[1]?.runId]).toEqual([1_001, 'run of a', 'stopped 101']);
    const points = await spcOf(world.query, table.tableId, 'tap');
    expect([points.length, points[0]?.runId]).toEqual([1_000, 'other 101']);
  });
});

it('a monitoring run that always fails ends with an ERROR of each check', async () => {
  const table = await aTable({ rules: [{ type: 'null_rate', column: 'word' }] }, 'a');
  const reported: unknown[] = [];
  const { inspection } = world.quality;
  const duckdb = Object.assign(Object.create(inspection.duckdb), {
    connect: () => Promise.reject(new Error('broken')),
  });
  const services: QualityServices = {
    ...world.quality,
    report: (error) => reported.push(error),
    inspection: { ...inspection, duckdb },
  };
  await expect(monitor(table, { services, attempt: 4 })).rejects.toThrow('broken');
  await monitor(table, { services, attempt: 5 });
  expect((await resultsOf(table)).map(checkStatusesOf)).toEqual([['null_rate:word ERROR']]);
  expect(reported).toHaveLength(1);
});

it('an aborted monitoring run saves nothing, in any attempt', async () => {
  const table = await aTable({ rules: [{ type: 'null_rate', column: 'word' }] }, 'a');
  const calling = new AbortController();
  const reported: unknown[] = [];
  const calledOff = usingFiles((use) => {
    calling.abort(new Error('aborted'));
    return use();
  });
  const services: QualityServices = { ...calledOff, report: (error) => reported.push(error) };
  await expect(monitor(table, { services, attempt: 9, signal: calling.signal })).rejects.toThrow('aborted');
  expect([await resultsOf(table), reported]).toEqual([[], []]);
});

describe('a table is degraded', () => {
  const rules = [{ type: 'null_rate' as const, column: 'word' }];

  it('by a reported run until a reported run passes, and by a monitoring run until a monitoring run passes', async () => {
    const table = await aTable({ rules }, 'a');
    await monitor(table);
    const degraded: boolean[] = [];
    for (const event of [
      () => report(table, 'night 1', 'FAIL'),
      () => run(table, 'b').then(() => monitor(table)),
      () => report(table, 'night 2', 'PASS'),
      () => run(table, null).then(() => monitor(table)),
      () => report(table, 'night 3', 'PASS'),
    ]) {
      await event();
      degraded.push((await degradedScopesOf(world.query, table.tableId)).includes('data'));
    }
    expect(degraded).toEqual([true, true, false, true, true]);
  });

  it('not by a run whose rows were rejected', async () => {
    const table = await aTable({}, 'a');
    const tapRules = [
      { type: 'null_rate' as const, column: 'word' },
      { type: 'row_count_min' as const, minimum: 2 },
    ];
    await changeContract(world.query, table.tableId, 'tap', { rules: tapRules });
    await run(table, null);
    expect((await qualityOf(world.query, table.tableId, 'tap')).map(checkStatusesOf).at(-1)).toEqual([
      'null_rate:word FAIL',
      'row_count_min FAIL',
    ]);
    expect(await degradedScopesOf(world.query, table.tableId)).toEqual([]);
    await run(table, null, 'b');
    expect(await degradedScopesOf(world.query, table.tableId)).toEqual(['tap']);
  });
});
