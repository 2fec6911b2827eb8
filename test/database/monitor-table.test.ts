import { describe, expect, it } from 'vitest';
import { FileNotFoundError } from '../../src/kernel/files/file-store.js';
import { decodeId } from '../../src/kernel/ids.js';
import type { QualityServices } from '../../src/quality/runs/quality-services.js';
import { captureStatements } from '../support/database/captured-statements.js';
import { waitUntil } from '../support/database/test-jobs.js';
import { monitoredTables } from '../support/quality/monitored-tables.js';
import { changeContract, checkStatusesOf, degradedScopesOf, spcOf } from '../support/quality/quality-results.js';

const { world, run, monitor, usingFiles, aTable, wait, age, resultsOf, plannedFor, report } = await monitoredTables();

describe('a monitoring run after a load', () => {
  it('covers the whole table and has the id of the latest run', async () => {
    const table = await aTable({ series: [{ kind: 'TABLE_ROW_COUNT' }] }, 'a', 'b');
    await run(table, 'c');
    await monitor(table);
    expect(await resultsOf(table)).toMatchObject([{ runId: 'run of c', lifecycle: 'monitor', measures: { rows: 3 } }]);
    const [result, ...others] = await spcOf(world.query, table.tableId, 'data');
    expect([result?.runId, result?.series[0]?.latestValue, others]).toEqual(['run of c', 3, []]);
  });

  it('happens once per load, even with concurrent attempts and retries', async () => {
    const table = await aTable({ series: [{ kind: 'COLUMN_NULL_RATE', column: 'word' }] }, 'a');
    let looking = 0;
    const services = usingFiles(async (use) => {
      looking += 1;
      await waitUntil(() => looking === 3);
      return use();
    });
    const calls = [1, 2, 3].map(() => () => monitor(table, { services }));
    const statements = await captureStatements(() => Promise.all(calls.map((begin) => begin())));
    expect(statements.filter((sql) => sql.includes('insert into table_quality_result'))).toHaveLength(1);
    const [{ id } = { id: '' }] = await resultsOf(table);
    await monitor(table);
    expect((await resultsOf(table)).map((result) => result.id)).toEqual([id]);
    expect(await spcOf(world.query, table.tableId, 'data')).toHaveLength(1);
    await run(table, 'b');
    await monitor(table);
    expect((await resultsOf(table)).map(({ runId }) => runId)).toEqual(['run of a', 'run of b']);
  });

  it('also happens if an external job reports a run with the same id', async () => {
    const table = await aTable({ rules: [{ type: 'null_rate', column: 'word' }] }, 'a');
    await report(table, 'run of a', 'PASS');
    await monitor(table);
    await report(table, 'run of a', 'FAIL');
    await run(table, null);
    await monitor(table);
    await report(table, 'run of ', 'FAIL');
    await monitor(table);
    const told = (await resultsOf(table)).map((result) => [result.runId, ...checkStatusesOf(result)]);
    expect(told.filter(([, check]) => check !== 'own FAIL')).toEqual([
      ['run of a', 'null_rate:word PASS'],
      ['run of ', 'null_rate:word FAIL'],
    ]);
  });

  it('schedules the next monitoring run an hour later', async () => {
    const table = await aTable({}, 'a');
    await monitor(table);
    expect(await plannedFor(table)).toEqual({ table: 0, 'table hourly': 60 });
  });

  it('compares the table with its state at the previous monitoring run', async () => {
    const table = await aTable({ rules: [{ type: 'row_count_delta', maxRate: 0.5 }] }, 'a', 'b');
    await monitor(table);
    await run(table, 'c');
    await monitor(table);
    await run(table, 'd', 'e', 'f', 'g');
    await monitor(table);
    expect((await resultsOf(table)).flatMap(checkStatusesOf)).toEqual([
      'row_count_delta SKIPPED',
      'row_count_delta PASS',
      'row_count_delta FAIL',
    ]);
  });

  it('marks the table as degraded while a GATE_2 check fails', async () => {
    const table = await aTable({ rules: [{ type: 'null_rate', column: 'word', maxRate: 0.4 }] }, 'a', null);
    await monitor(table);
    expect(await degradedScopesOf(world.query, table.tableId)).toEqual(['data']);
    await run(table, 'b', 'c');
    await monitor(table);
    expect(await degradedScopesOf(world.query, table.tableId)).toEqual([]);
  });

  it('reads the list of files again if a file was replaced', async () => {
    const table = await aTable({ series: [{ kind: 'COLUMN_NULL_RATE', column: 'word' }] }, 'a');
    let missing = 0;
    const failing = (times: number): QualityServices =>
      usingFiles((use) => (missing++ < times ? Promise.reject(new FileNotFoundError('gone')) : use()));
    await monitor(table, { services: failing(2) });
    expect([missing, (await resultsOf(table)).length]).toEqual([3, 1]);
    await run(table, 'b');
    missing = 0;
    await expect(monitor(table, { services: failing(99) })).rejects.toThrow(FileNotFoundError);
  });
});

describe('a monitoring run of an unchanged table', () => {
  it('is due after an hour, not earlier', async () => {
    const table = await aTable({ rules: [{ type: 'freshness', maxSeconds: 1_800 }] }, 'a');
    await monitor(table);
    await age(table);
    await wait(table, 20);
    await monitor(table);
    expect(await resultsOf(table)).toHaveLength(1);
    await wait(table, 40);
    await monitor(table);
    expect(await resultsOf(table)).toHaveLength(2);
  });

  it('saves nothing if all checks have the same outcome', async () => {
    const table = await aTable({ rules: [{ type: 'freshness', maxSeconds: 86_400 }] }, 'a');
    await monitor(table);
    for (let hours = 0; hours < 3; hours++) {
      await wait(table, 60);
      await monitor(table);
    }
    expect((await resultsOf(table)).map(({ runId }) => runId)).toEqual(['run of a']);
    await run(table, 'b');
    await monitor(table);
    expect((await resultsOf(table)).map(({ runId }) => runId)).toEqual(['run of a', 'run of b']);
  });

  it('saves checks that depend on time, with its own run id and no points', async () => {
    const table = await aTable({ rules: [{ type: 'freshness', maxSeconds: 1_800 }] }, 'a');
    await monitor(table);
    await wait(table, 60);
    await age(table);
    await monitor(table);
    const [first, second] = await resultsOf(table);
    expect([first, second].map((result) => checkStatusesOf(result as never))).toEqual([
      ['freshness PASS'],
      ['freshness FAIL'],
    ]);
    expect(second?.runId).toMatch(/^\w{22}$/);
    const [is, was] = [second, first].map((result) => result?.checks[0]?.observed as number);
    expect(second?.checks[0]?.evidence?.runOverRunDelta).toBeCloseTo((is as number) - (was as number));
    expect(await spcOf(world.query, table.tableId, 'data')).toHaveLength(1);
    expect(await degradedScopesOf(world.query, table.tableId)).toEqual(['data']);
  });

  it('copies all other checks without opening a file', async () => {
    const rules = [
      { type: 'null_rate' as const, column: 'word', maxRate: 0 },
      { type: 'freshness' as const, maxSeconds: 1_800 },
      { type: 'row_count_delta' as const, maxRate: 0.1 },
    ];
    const table = await aTable({ rules }, 'a');
    await monitor(table);
    await run(table, null, 'c');
    await monitor(table);
    await wait(table, 60);
    await age(table);
    await monitor(table, { services: usingFiles(() => Promise.reject(new Error('unexpected read'))) });
    const [, before, after] = await resultsOf(table);
    expect(checkStatusesOf(after as never)).toEqual(['null_rate:word FAIL', 'freshness FAIL', 'row_count_delta FAIL']);
    expect(after?.checks[0]).toEqual(before?.checks[0]);
    expect([after?.checks[2], after?.measures]).toEqual([before?.checks[2], before?.measures]);
    expect(await degradedScopesOf(world.query, table.tableId)).toEqual(['data']);
  });

  it('uses a changed contract immediately', async () => {
    const table = await aTable({ rules: [{ type: 'null_rate', column: 'word', maxRate: 0 }] }, 'a', null);
    await monitor(table);
    const rules = [
      { type: 'null_rate' as const, column: 'word', maxRate: 0.5 },
      { type: 'row_count_delta' as const, maxRate: 0 },
    ];
    await changeContract(world.query, table.tableId, 'data', { rules });
    await monitor(table);
    expect((await resultsOf(table)).map(checkStatusesOf)).toEqual([
      ['null_rate:word FAIL'],
      ['null_rate:word PASS', 'row_count_delta SKIPPED'],
    ]);
    await monitor(table);
    expect(await resultsOf(table)).toHaveLength(2);
  });

  it('uses a contract that changes during the run', async () => {
    const table = await aTable({ rules: [{ type: 'null_rate', column: 'word', maxRate: 0 }] }, 'a', null);
    const services = usingFiles(async (use) => {
      const rules = [{ type: 'null_rate' as const, column: 'word', maxRate: 0.5 }];
      await changeContract(world.query, table.tableId, 'data', { rules });
      // The clocks of the database and of this process may differ.
      await world.query(`update table_contract set updated_at = now() - interval '1 day' where table_id = $1`, [
        decodeId(table.tableId),
      ]);
      return use();
    });
    await monitor(table, { services });
    await monitor(table);
    expect((await resultsOf(table)).map(checkStatusesOf)).toEqual([['null_rate:word FAIL'], ['null_rate:word PASS']]);
  });

  it('repeats a failed run, compared with the table at the previous run', async () => {
    const rules = [
      { type: 'null_rate' as const, column: 'word', maxRate: 1 },
      { type: 'row_count_delta' as const, maxRate: 0.5 },
    ];
    const table = await aTable({ rules }, 'a');
    await monitor(table);
    await run(table, 'b', null);
    const broken = usingFiles(() => Promise.reject(new Error('broken')));
    await monitor(table, { services: { ...broken, report: () => undefined }, attempt: 5 });
    await wait(table, 60);
    await monitor(table);
    await wait(table, 60);
    await monitor(table);
    const [, lost, made, ...others] = await resultsOf(table);
    expect([lost, made].map((result) => checkStatusesOf(result as never))).toEqual([
      ['null_rate:word ERROR', 'row_count_delta ERROR'],
      ['null_rate:word PASS', 'row_count_delta FAIL'],
    ]);
    expect(made?.checks[0]?.evidence?.runOverRunDelta).toBeCloseTo(1 / 3);
    expect(others).toEqual([]);
  });

  it('is no longer scheduled once the tap is deleted', async () => {
    const table = await aTable({}, 'a');
    await world.query('delete from taproot_jobs.job where singleton_key = $1', [`${table.tableId} hourly`]);
    await world.query('update tenant_connector_tap set deleted_at = now() where id = $1', [decodeId(table.tapId)]);
    await monitor(table);
    expect([await resultsOf(table), await plannedFor(table)]).toEqual([[], { table: 0 }]);
  });
});
