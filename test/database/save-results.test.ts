import { describe, expect, it } from 'vitest';
import { Semaphore } from '../../src/kernel/concurrency/semaphore.js';
import { decodeId } from '../../src/kernel/ids.js';
import { runTenantTransaction } from '../../src/kernel/reading/tenant-transaction.js';
import { createContracts, findContract, readTapFacts } from '../../src/quality/contracts/create-contracts.js';
import { type RunOutcome, saveResults } from '../../src/quality/results/save-results.js';
import type { SeriesValue } from '../../src/quality/spc/series-value.js';
import type { SpcSeries } from '../../src/quality/spc/table-spc-result.js';
import { waitUntil } from '../support/database/test-jobs.js';
import { aCheck } from '../support/quality/contract-fixtures.js';
import { changeContract, degradedScopesOf, qualityOf, spcOf } from '../support/quality/quality-results.js';
import { type LoadedTable, loadedTables } from '../support/tables/loaded-tables.js';

const world = await loadedTables();

async function aWatchedTable(): Promise<LoadedTable> {
  const table = await world.aTable();
  const { em, tables, jobs } = world.services;
  await runTenantTransaction(em, tables, table.tenantId, async (tx) =>
    createContracts(tx, table, await readTapFacts(tx.read, table.tableId, table.schema), jobs),
  );
  return table;
}

function keep({ tenantId, tableId }: LoadedTable, runId: string, found: Partial<RunOutcome> = {}): Promise<void> {
  const { em, tables } = world.services;
  return runTenantTransaction(em, tables, tenantId, async (tx) => {
    const contract = await findContract(tx.read, tableId, 'data');
    const run = { runId, lifecycle: 'transform' as const, checks: [aCheck()], values: new Map<string, SeriesValue>() };
    await saveResults(tx, contract?.id as string, { ...run, ...found });
  });
}

const rows = (value: number) => new Map<string, SeriesValue>([['TABLE_ROW_COUNT', { value }]]);
const chartsOf = ({ tableId }: LoadedTable) => spcOf(world.query, tableId, 'data');
const resultsOf = ({ tableId }: LoadedTable) => qualityOf(world.query, tableId, 'data');

/** Returns the stored results in the order of the API, latest result first. */
const shownIn = ({ tableId }: LoadedTable) =>
  world.query(
    `select r.* from table_spc_result r join table_contract k on k.id = r.contract_id where k.table_id = $1 and scope = 'data' order by captured_at desc, r.id`,
    [decodeId(tableId)],
  );

const SERIES_FIELDS = [
  ...[
    'chartType',
    'latestValue',
    'lowerControl3Sigma',
    'lowerWarning2Sigma',
    'mean',
    'seriesId',
    'seriesKind',
    'status',
    'stddev',
  ],
  ...['trendSlope', 'upperControl3Sigma', 'upperWarning2Sigma', 'violations'],
];

describe('a saved result', () => {
  it('follows all earlier results, even if saved concurrently, and is compared with them', async () => {
    const table = await aWatchedTable();
    const values = Array.from({ length: 40 }, (_, at) => (at * 7919) % 101);
    const turns = new Semaphore(10); // More concurrent runs would wait for a connection and time out on a busy machine.
    await Promise.all(values.map((value, at) => turns.run(() => keep(table, `run ${at}`, { values: rows(value) }))));
    const charts = await chartsOf(table);
    expect(new Set(charts.map(({ capturedAt }) => +capturedAt)).size).toBe(40);
    const points = charts.flatMap(({ series }) => series);
    for (const [at, { mean }] of points.entries()) {
      const before = points.slice(Math.max(0, at - 30), at).map(({ latestValue }) => latestValue);
      if (at >= 2) expect(mean).toBeCloseTo(before.reduce((sum, value) => sum + value, 0) / before.length, 9);
    }
  });

  it('is one millisecond later than a result from the future', async () => {
    const table = await aWatchedTable();
    await keep(table, 'ahead', { capturedAt: new Date(Date.now() + 50_000) });
    const [first] = await resultsOf(table);
    expect(+(first?.capturedAt as Date)).toBeLessThan(Date.now() + 5_000);
    await world.query(`update table_quality_result set captured_at = '2999-01-01' where run_id = 'ahead'`);
    await keep(table, 'next');
    await keep(table, 'earlier', { capturedAt: new Date('2026-01-01T00:00:00Z') });
    expect((await resultsOf(table)).map(({ runId, capturedAt }) => [runId, capturedAt.toISOString()])).toEqual([
      ['earlier', '2026-01-01T00:00:00.000Z'],
      ['ahead', '2999-01-01T00:00:00.000Z'],
      ['next', '2999-01-01T00:00:00.001Z'],
    ]);
  });

  it('is compared with the results of the same time that the list shows as earlier', async () => {
    const table = await aWatchedTable();
    const capturedAt = new Date('2026-01-01T00:00:00Z');
    for (const at of Array.from({ length: 12 }).keys())
      await keep(table, `run ${at}`, { capturedAt, values: rows(at) });
    const shown = await shownIn(table);
    await keep(table, 'latest', { capturedAt, values: rows(100) });
    const [own] = (await shownIn(table)).filter(({ run_id }) => run_id === 'latest');
    const before = shown.filter(({ id }) => id > own?.id).map(({ series }) => series[0].latestValue);
    // Results of the same time are ordered by their random ids. Without an earlier result, the mean is the value of the
    // run `latest` itself.
    const baseline = before.length > 0 ? before : [100];
    expect(own?.series[0].mean).toBeCloseTo(baseline.reduce((sum, value) => sum + value, 0) / baseline.length, 9);
  });

  it('replaces all results of the same run and none of other runs', async () => {
    const table = await aWatchedTable();
    await keep(table, 'one', { values: rows(1) });
    await keep(table, 'one', { values: rows(2), lifecycle: 'monitor' });
    await keep(table, 'other', { values: rows(3) });
    const former = await chartsOf(table);
    expect(former.map(({ series }) => series[0]?.latestValue)).toEqual([1, 2, 3]);
    await keep(table, 'one');
    expect(await chartsOf(table)).toEqual(former.slice(1));
    expect((await resultsOf(table)).map(({ runId, lifecycle }) => [runId, lifecycle])).toEqual([
      ['one', 'monitor'],
      ['other', 'transform'],
      ['one', 'transform'],
    ]);
  });

  it('is compared with as many results as needed, regardless of their size', async () => {
    const table = await aWatchedTable();
    await keep(table, 'first', { values: rows(1) });
    await world.query(
      `insert into table_spc_result (id, tenant_id, contract_id, run_id, captured_at, overall_status, window_size, series)
       select gen_random_uuid(), r.tenant_id, contract_id, 'copy ' || n, captured_at - make_interval(secs => n), overall_status, r.window_size,
         json_build_array(json_build_object('seriesId', r.series -> 0 ->> 'seriesId', 'latestValue', n % 2, 'violations', repeat('x', 800000)))
       from table_spc_result r join table_contract k on k.id = r.contract_id, generate_series(1, 75) n
       where k.table_id = $1`,
      [decodeId(table.tableId)],
    );
    await keep(table, 'last', { values: rows(0.5) });
    const point = (await chartsOf(table)).at(-1)?.series[0];
    expect(point).toMatchObject({ latestValue: 0.5, status: 'IN_BOUNDS' });
  });

  it.each([
    ['above', 900, 'is above'],
    ['below', -900, 'is below'],
  ])('has only fields of the API; three values %s the limits start a new level', async (_, beyond, says) => {
    const table = await aWatchedTable();
    const values = [...Array.from({ length: 16 }, (_, at) => 10 + (at % 3)), beyond, beyond, beyond, beyond];
    for (const [at, value] of values.entries()) await keep(table, `run ${at}`, { values: rows(value) });
    const points = (await chartsOf(table)).flatMap(({ series }) => series as SpcSeries[]);
    const fields = Object.keys(Object.assign({}, ...points)).sort();
    expect(fields).toEqual(SERIES_FIELDS);
    const [first, second, third, fourth] = points.slice(-4);
    for (const point of [first, second]) expect(point).toMatchObject({ status: 'OUT_OF_CONTROL', mean: first?.mean });
    expect(third?.violations[0]?.description).toMatch(new RegExp(`${says}.*third consecutive run`));
    expect(fourth).toMatchObject({ mean: beyond, status: 'INSUFFICIENT_HISTORY' });
  });

  it('has limits of a share for its number of rows', async () => {
    const table = await aWatchedTable();
    const share = (count: number, sampleSize: number) => ({
      values: new Map<string, SeriesValue>([['COLUMN_NULL_RATE:word', { value: count / sampleSize, sampleSize }]]),
    });
    for (const [at, count] of [20, 16, 25, 18, 22, 14, 21, 27, 19, 17, 23, 15, 24, 20].entries())
      await keep(table, `run ${at}`, share(count, 1_000));
    await keep(table, 'few', share(2, 50));
    await keep(table, 'many', share(80, 2_000));
    const points = (await chartsOf(table)).flatMap(({ series }) => series as SpcSeries[]);
    expect(points.at(-3)).toMatchObject({ chartType: 'INDIVIDUALS', sampleSize: 1_000 });
    expect(points.slice(-2)).toMatchObject([
      { chartType: 'P', sampleSize: 50, status: 'IN_BOUNDS' },
      { chartType: 'P', sampleSize: 2_000, status: 'OUT_OF_CONTROL' },
    ]);
  });

  it('is compared with points of its weekday if the series requires it', async () => {
    const table = await aWatchedTable();
    const keepDays = async (from: number, to: number) => {
      for (let day = from; day <= to; day++) {
        const capturedAt = new Date(Date.UTC(2024, 0, day)); // January 7, 2024 is a Sunday.
        const value = capturedAt.getUTCDay() === 0 ? 10 : 100 + (day % 2);
        await keep(table, `day ${day}`, { capturedAt, values: rows(value) });
      }
      return (await chartsOf(table)).at(-1)?.series[0];
    };
    const series = (baseline?: 'weekday') => ({ series: [{ kind: 'TABLE_ROW_COUNT' as const, baseline }] });
    await world.query('update table_contract set min_history_for_violation = 2');
    await changeContract(world.query, table.tableId, 'data', series());
    expect(await keepDays(1, 14)).toMatchObject({ latestValue: 10, status: 'OUT_OF_CONTROL' });
    await changeContract(world.query, table.tableId, 'data', series('weekday'));
    expect(await keepDays(14, 28)).toMatchObject({ latestValue: 10, mean: 10, stddev: 0, status: 'IN_BOUNDS' });
    expect(await keepDays(29, 29)).toMatchObject({ latestValue: 101, mean: 100.5 });
  });

  it('uses the contract as it is when it acquires the lock', async () => {
    const table = await aWatchedTable();
    await changeContract(world.query, table.tableId, 'data', { primaryKey: ['word'] });
    const spec = { id: 'null_rate', description: 'Few are missing.', gate: 'GATE_2' as const };
    const evidence = { message: 'One.', sampleKeys: ['a'], topViolatingValues: ['a'] };
    const checks = ['word', 'size'].map((column) => aCheck({ key: `null_rate:${column}`, spec, evidence }));
    const { em, tables } = world.services;
    let kept: Promise<void> | undefined;
    await runTenantTransaction(em, tables, table.tenantId, async (tx) => {
      const change = `update table_contract set version = version + 1, window_size = 50, sensitive_columns = '["word"]' where table_id = ?`;
      await tx.em.execute(change, [decodeId(table.tableId)]);
      const values = new Map<string, SeriesValue>([...rows(1), ['COLUMN_MEAN:word', { value: 2 }]]);
      kept = keep(table, 'one', { lifecycle: 'monitor', checks, values });
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await waitUntil(async () => (await world.query(waiting)).length > 0);
    });
    await kept;
    const charts = await shownIn(table);
    expect(charts.map(({ window_size }) => window_size)).toEqual([50]);
    expect(charts.map(({ series }) => series.map((one: SpcSeries) => one.latestValue))).toEqual([[1]]);
    expect((await resultsOf(table))[0]?.checks.map((one) => one.evidence)).toEqual([
      { message: 'One.' },
      { message: 'One.', topViolatingValues: ['a'] },
    ]);
  });

  it('degrades the table only by rules that still exist', async () => {
    const table = await aWatchedTable();
    const spec = { id: 'null_rate', description: 'Few are missing.', gate: 'GATE_2' as const };
    const checks = [aCheck({ key: 'null_rate:word', spec, status: 'FAIL' })];
    const rules = [{ type: 'null_rate' as const, column: 'word' }];
    const degraded = [];
    for (const left of [[], rules]) {
      await changeContract(world.query, table.tableId, 'data', { rules: left });
      await keep(table, 'one', { lifecycle: 'monitor', checks, measures: { rows: 1 } });
      degraded.push(await degradedScopesOf(world.query, table.tableId));
    }
    expect(degraded).toEqual([[], ['data']]);
  });

  it('contains no text that the database cannot store', async () => {
    const table = await aWatchedTable();
    const evidence = { message: 'a\0b', sampleKeys: ['\\u0000', '\ud800'], topViolatingValues: ['🌊'] };
    const check = aCheck({ key: 'null_rate:a\0', status: 'FAIL', evidence });
    const values = new Map([['COLUMN_MEAN:a\0', { value: 1 }]]);
    await changeContract(world.query, table.tableId, 'data', { series: [] });
    await keep(table, 'one', { checks: [check], values, measures: { rows: 1, highest: { 'a\0': 1 } } });
    await keep(table, 'two', { values });
    const [row] = await world.query(
      `select q.checks::jsonb -> 0 -> 'evidence' as evidence, q.measures::jsonb -> 'highest' as highest, s.series::jsonb -> 0 -> 'seriesId' as series
       from table_quality_result q join table_spc_result s on s.contract_id = q.contract_id and s.run_id = q.run_id
       join table_contract k on k.id = q.contract_id where k.table_id = $1 and q.run_id = 'one'`,
      [decodeId(table.tableId)],
    );
    expect(row).toEqual({
      evidence: { message: 'a\ufffdb', sampleKeys: ['\\u0000', '\ufffd'], topViolatingValues: ['🌊'] },
      ...{ highest: { 'a\ufffd': 1 }, series: expect.stringMatching(/:COLUMN_MEAN:a\ufffd$/) },
    });
  });
});
