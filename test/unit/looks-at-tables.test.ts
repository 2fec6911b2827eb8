import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { FileMissing } from '../../src/kernel/file-store.js';
import { decodeId } from '../../src/kernel/ids.js';
import { inTenant } from '../../src/kernel/transaction.js';
import { keepResults } from '../../src/quality/keep-results.js';
import { lookAtTable } from '../../src/quality/look-at-table.js';
import { findContract } from '../../src/quality/open-contracts.js';
import type { QualityParts } from '../../src/quality/quality-context.js';
import { withTableLease } from '../../src/tables/table-lease.js';
import type { TableSchema } from '../../src/tables/table-schema.js';
import { waitUntil } from '../support/jobs.js';
import { commit, type LandedTable, landedTables, written } from '../support/landed-tables.js';
import { changeContract, degradedOf, qualityOf, spcOf, toldBy } from '../support/quality.js';
import { statementsOf } from '../support/statements.js';

const SCHEMA: TableSchema = { fields: [{ name: 'word', type: 'String' }] };

const NEVER = new AbortController().signal;

const world = await landedTables();

/** A run that brings these words. */
async function run(table: LandedTable, ...words: (string | null)[]): Promise<void> {
  const { parts } = world;
  const { tenantId, tableId, schema } = table;
  await withTableLease(parts, tenantId, tableId, async (lease) => {
    const receivedAt = new Date().toISOString();
    const files = await written(
      parts,
      table,
      words.map((word) => [word]),
      { receivedAt },
    );
    const runId = `run of ${words.join()}`;
    const verdict = await parts.watch.judge({ tenantId, tableId, runId, files, schema, attempt: 1, signal: NEVER });
    await inTenant(parts.em, parts.tables, tenantId, (tx) => verdict.keep(tx));
    await commit(parts, lease, { added: files });
  });
}

function look(
  { tenantId, tableId }: LandedTable,
  {
    attempt = 1,
    parts = world.quality,
    signal = NEVER,
  }: { attempt?: number; parts?: QualityParts; signal?: AbortSignal } = {},
): Promise<void> {
  const job = { id: randomUUID(), attempt, signal };
  return lookAtTable(parts, { tenantId, tableId }, job);
}

/** Looks with somebody in between who may keep them from the files. */
function usingFiles(meddle: (use: () => Promise<unknown>) => Promise<unknown>): QualityParts {
  const { inspection } = world.quality;
  const { localFiles } = inspection;
  const use: typeof localFiles.use = (files, work) => meddle(() => localFiles.use(files, work)) as never;
  return {
    ...world.quality,
    inspection: { ...inspection, localFiles: Object.assign(Object.create(localFiles), { use }) },
  };
}

type Changes = Parameters<typeof changeContract>[3];

/** A table with the rows of one run, and contracts that say this of all of them. */
async function aTable(changes: Changes, ...words: (string | null)[]): Promise<LandedTable> {
  const table = await world.aTable(SCHEMA);
  await run(table, ...words);
  await changeContract(world.ask, table.tableId, 'data', { rules: [], ...changes });
  return table;
}

/** Some time goes by, for all that was found so far. */
async function wait({ tableId }: LandedTable, minutes: number): Promise<void> {
  const earlier = `captured_at = captured_at - make_interval(mins => $2)`;
  const isOfTable = 'contract_id in (select id from table_contract where table_id = $1)';
  for (const from of ['table_quality_result', 'table_spc_result'])
    await world.ask(`update ${from} set ${earlier} where ${isOfTable}`, [decodeId(tableId), minutes]);
  const contract = 'update table_contract set updated_at = updated_at - make_interval(mins => $2) where table_id = $1';
  await world.ask(contract, [decodeId(tableId), minutes]);
}

/** What is in the table came an hour earlier. */
async function age({ tableId }: LandedTable): Promise<void> {
  const earlier = `update table_file set last_received_at = last_received_at - interval '1 hour' where table_id = $1`;
  await world.ask(earlier, [decodeId(tableId)]);
}

const looksAt = ({ tableId }: LandedTable) => qualityOf(world.ask, tableId, 'data');

/** What waits to be done about a table: in how many minutes, by the key of the job. */
async function plannedFor({ tableId }: LandedTable): Promise<Record<string, number>> {
  const jobs = await world.ask(
    `select replace(singleton_key, $1, 'table') as key, round(extract(epoch from start_after - now()) / 60)::int as minutes
     from taproot_jobs.job where name = 'table-quality' and singleton_key like $1 || '%'`,
    [tableId],
  );
  return Object.fromEntries(jobs.map(({ key, minutes }) => [key, minutes]));
}

/** What a job elsewhere says about the table. */
async function report({ tenantId, tableId }: LandedTable, runId: string, status: 'PASS' | 'FAIL'): Promise<void> {
  const { em, tables } = world.parts;
  const spec = { id: 'own', description: 'A check of the job.', gate: 'GATE_2' as const };
  await inTenant(em, tables, tenantId, async (tx) => {
    const contract = await findContract(tx.read, tableId, 'data');
    await keepResults(tx, contract?.id as string, {
      ...{ runId, capturedAt: new Date(), lifecycle: 'transform', checks: [{ spec, status, key: 'own' }] },
      values: new Map(),
    });
  });
}

describe('a look after a run', () => {
  it('is about the whole table, and bears the id of the latest run', async () => {
    const table = await aTable({ series: [{ kind: 'TABLE_ROW_COUNT' }] }, 'a', 'b');
    await run(table, 'c');
    await look(table);
    expect(await looksAt(table)).toMatchObject([{ runId: 'run of c', lifecycle: 'monitor', measures: { rows: 3 } }]);
    const [result, ...others] = await spcOf(world.ask, table.tableId, 'data');
    expect([result?.runId, result?.series[0]?.latestValue, others]).toEqual(['run of c', 3, []]);
  });

  it('comes once for each run, however many try at once, and again', async () => {
    const table = await aTable({ series: [{ kind: 'COLUMN_NULL_RATE', column: 'word' }] }, 'a');
    let looking = 0;
    const parts = usingFiles(async (use) => {
      looking += 1;
      await waitUntil(() => looking === 3);
      return use();
    });
    const looks = [1, 2, 3].map(() => () => look(table, { parts }));
    const statements = await statementsOf(() => Promise.all(looks.map((begin) => begin())));
    expect(statements.filter((sql) => sql.includes('insert into table_quality_result'))).toHaveLength(1);
    const [{ id } = { id: '' }] = await looksAt(table);
    await look(table);
    expect((await looksAt(table)).map((result) => result.id)).toEqual([id]);
    expect(await spcOf(world.ask, table.tableId, 'data')).toHaveLength(1);
    await run(table, 'b');
    await look(table);
    expect((await looksAt(table)).map(({ runId }) => runId)).toEqual(['run of a', 'run of b']);
  });

  it('comes also where a job outside calls a run as the service does', async () => {
    const table = await aTable({ rules: [{ type: 'null_rate', column: 'word' }] }, 'a');
    await report(table, 'run of a', 'PASS');
    await look(table);
    await report(table, 'run of a', 'FAIL');
    await run(table, null);
    await look(table);
    await report(table, 'run of ', 'FAIL');
    await look(table);
    const told = (await looksAt(table)).map((result) => [result.runId, ...toldBy(result)]);
    expect(told.filter(([, check]) => check !== 'own FAIL')).toEqual([
      ['run of a', 'null_rate:word PASS'],
      ['run of ', 'null_rate:word FAIL'],
    ]);
  });

  it('plans the next one, an hour later', async () => {
    const table = await aTable({}, 'a');
    await look(table);
    expect(await plannedFor(table)).toEqual({ table: 0, 'table hourly': 60 });
  });

  it('compares the table with how it was at the look before', async () => {
    const table = await aTable({ rules: [{ type: 'row_count_delta', maxRate: 0.5 }] }, 'a', 'b');
    await look(table);
    await run(table, 'c');
    await look(table);
    await run(table, 'd', 'e', 'f', 'g');
    await look(table);
    expect((await looksAt(table)).flatMap(toldBy)).toEqual([
      'row_count_delta SKIPPED',
      'row_count_delta PASS',
      'row_count_delta FAIL',
    ]);
  });

  it('marks the table for as long as a check of GATE_2 fails', async () => {
    const table = await aTable({ rules: [{ type: 'null_rate', column: 'word', maxRate: 0.4 }] }, 'a', null);
    await look(table);
    expect(await degradedOf(world.ask, table.tableId)).toEqual(['data']);
    await run(table, 'b', 'c');
    await look(table);
    expect(await degradedOf(world.ask, table.tableId)).toEqual([]);
  });

  it('reads the list of the files again where one was replaced meanwhile', async () => {
    const table = await aTable({ series: [{ kind: 'COLUMN_NULL_RATE', column: 'word' }] }, 'a');
    let missing = 0;
    const failing = (times: number): QualityParts =>
      usingFiles((use) => (missing++ < times ? Promise.reject(new FileMissing('gone')) : use()));
    await look(table, { parts: failing(2) });
    expect([missing, (await looksAt(table)).length]).toEqual([3, 1]);
    await run(table, 'b');
    missing = 0;
    await expect(look(table, { parts: failing(99) })).rejects.toThrow(FileMissing);
  });
});

describe('a look at a table that nothing happened to', () => {
  it('is an hour away, and no sooner', async () => {
    const table = await aTable({ rules: [{ type: 'freshness', maxSeconds: 1_800 }] }, 'a');
    await look(table);
    await age(table);
    await wait(table, 20);
    await look(table);
    expect(await looksAt(table)).toHaveLength(1);
    await wait(table, 40);
    await look(table);
    expect(await looksAt(table)).toHaveLength(2);
  });

  it('keeps nothing where each check comes out as it did', async () => {
    const table = await aTable({ rules: [{ type: 'freshness', maxSeconds: 86_400 }] }, 'a');
    await look(table);
    for (let hours = 0; hours < 3; hours++) {
      await wait(table, 60);
      await look(table);
    }
    expect((await looksAt(table)).map(({ runId }) => runId)).toEqual(['run of a']);
    await run(table, 'b');
    await look(table);
    expect((await looksAt(table)).map(({ runId }) => runId)).toEqual(['run of a', 'run of b']);
  });

  it('says again what the time changes, with an id of its own and no points', async () => {
    const table = await aTable({ rules: [{ type: 'freshness', maxSeconds: 1_800 }] }, 'a');
    await look(table);
    await wait(table, 60);
    await age(table);
    await look(table);
    const [first, second] = await looksAt(table);
    expect([first, second].map((result) => toldBy(result as never))).toEqual([['freshness PASS'], ['freshness FAIL']]);
    expect(second?.runId).toMatch(/^\w{22}$/);
    const [is, was] = [second, first].map((result) => result?.checks[0]?.observed as number);
    expect(second?.checks[0]?.evidence?.runOverRunDelta).toBeCloseTo((is as number) - (was as number));
    expect(await spcOf(world.ask, table.tableId, 'data')).toHaveLength(1);
    expect(await degradedOf(world.ask, table.tableId)).toEqual(['data']);
  });

  it('takes all else over, and opens no file for it', async () => {
    const rules = [
      { type: 'null_rate' as const, column: 'word', maxRate: 0 },
      { type: 'freshness' as const, maxSeconds: 1_800 },
      { type: 'row_count_delta' as const, maxRate: 0.1 },
    ];
    const table = await aTable({ rules }, 'a');
    await look(table);
    await run(table, null, 'c');
    await look(table);
    await wait(table, 60);
    await age(table);
    await look(table, { parts: usingFiles(() => Promise.reject(new Error('somebody reads'))) });
    const [, before, after] = await looksAt(table);
    expect(toldBy(after as never)).toEqual(['null_rate:word FAIL', 'freshness FAIL', 'row_count_delta FAIL']);
    expect(after?.checks[0]).toEqual(before?.checks[0]);
    expect([after?.checks[2], after?.measures]).toEqual([before?.checks[2], before?.measures]);
    expect(await degradedOf(world.ask, table.tableId)).toEqual(['data']);
  });

  it('goes by a contract that was changed meanwhile, at once', async () => {
    const table = await aTable({ rules: [{ type: 'null_rate', column: 'word', maxRate: 0 }] }, 'a', null);
    await look(table);
    const rules = [
      { type: 'null_rate' as const, column: 'word', maxRate: 0.5 },
      { type: 'row_count_delta' as const, maxRate: 0 },
    ];
    await changeContract(world.ask, table.tableId, 'data', { rules });
    await look(table);
    expect((await looksAt(table)).map(toldBy)).toEqual([
      ['null_rate:word FAIL'],
      ['null_rate:word PASS', 'row_count_delta SKIPPED'],
    ]);
    await look(table);
    expect(await looksAt(table)).toHaveLength(2);
  });

  it('goes by a contract that was changed while it was looked at', async () => {
    const table = await aTable({ rules: [{ type: 'null_rate', column: 'word', maxRate: 0 }] }, 'a', null);
    const parts = usingFiles(async (use) => {
      const rules = [{ type: 'null_rate' as const, column: 'word', maxRate: 0.5 }];
      await changeContract(world.ask, table.tableId, 'data', { rules });
      // Clocks are set, and those of the database and of this process may differ.
      await world.ask(`update table_contract set updated_at = now() - interval '1 day' where table_id = $1`, [
        decodeId(table.tableId),
      ]);
      return use();
    });
    await look(table, { parts });
    await look(table);
    expect((await looksAt(table)).map(toldBy)).toEqual([['null_rate:word FAIL'], ['null_rate:word PASS']]);
  });

  it('makes up for what could not be looked at, by how the table was at the run before', async () => {
    const rules = [
      { type: 'null_rate' as const, column: 'word', maxRate: 1 },
      { type: 'row_count_delta' as const, maxRate: 0.5 },
    ];
    const table = await aTable({ rules }, 'a');
    await look(table);
    await run(table, 'b', null);
    const broken = usingFiles(() => Promise.reject(new Error('broken')));
    await look(table, { parts: { ...broken, report: () => undefined }, attempt: 5 });
    await wait(table, 60);
    await look(table);
    await wait(table, 60);
    await look(table);
    const [, lost, made, ...others] = await looksAt(table);
    expect([lost, made].map((result) => toldBy(result as never))).toEqual([
      ['null_rate:word ERROR', 'row_count_delta ERROR'],
      ['null_rate:word PASS', 'row_count_delta FAIL'],
    ]);
    expect(made?.checks[0]?.evidence?.runOverRunDelta).toBeCloseTo(1 / 3);
    expect(others).toEqual([]);
  });

  it('is not planned any more once the tap is deleted', async () => {
    const table = await aTable({}, 'a');
    await world.ask('delete from taproot_jobs.job where singleton_key = $1', [`${table.tableId} hourly`]);
    await world.ask('update tenant_connector_tap set deleted_at = now() where id = $1', [decodeId(table.tapId)]);
    await look(table);
    expect([await looksAt(table), await plannedFor(table)]).toEqual([[], { table: 0 }]);
  });
});

describe('a table that is too large', () => {
  it('is told what is known without reading it, and an ERROR of all else', async () => {
    const rules = [
      { type: 'null_rate' as const, column: 'word' },
      { type: 'freshness' as const, maxSeconds: 86_400 },
      { type: 'row_count_delta' as const },
      { type: 'duplicate_rate' as const },
      { type: 'pattern' as const, column: 'gone', pattern: 'a' },
    ];
    const series = [{ kind: 'TABLE_BYTES' as const }, { kind: 'COLUMN_NULL_RATE' as const, column: 'word' }];
    const table = await aTable({ rules, series }, 'a');
    await world.ask('update table_file set bytes = $2 where table_id = $1', [decodeId(table.tableId), 2 ** 37]);
    await look(table);
    const [result] = await looksAt(table);
    expect(toldBy(result as never)).toEqual([
      ...['null_rate:word ERROR', 'freshness PASS', 'row_count_delta SKIPPED', 'duplicate_rate ERROR'],
      'pattern:gone ERROR',
    ]);
    const why = result?.checks.map(({ evidence }) => evidence?.message ?? '');
    for (const at of [0, 3]) expect(why?.[at]).toContain('128 GiB');
    expect(why?.[4]).toBe('pattern of "gone": there is no such column');
    const [spc] = await spcOf(world.ask, table.tableId, 'data');
    expect(spc?.series.map(({ seriesKind }) => seriesKind)).toEqual(['TABLE_BYTES']);
  });
});

describe('results that are kept', () => {
  it('are the latest thousand of each kind, and the one that the next run is compared with', async () => {
    const table = await aTable({}, 'a');
    const [contract] = await world.ask(
      `select id, tenant_id from table_contract where table_id = $1 and scope = 'tap'`,
      [decodeId(table.tableId)],
    );
    const own = [contract?.tenant_id, contract?.id];
    await world.ask(
      `insert into table_quality_result (id, tenant_id, contract_id, run_id, captured_at, overall_status, lifecycle, checks)
       select gen_random_uuid(), $1, $2, 'stopped ' || nth, now() + make_interval(secs => nth), 'FAIL', 'promote', '[]' from generate_series(1, 1100) nth`,
      own,
    );
    await world.ask(
      `insert into table_spc_result (id, tenant_id, contract_id, run_id, captured_at, overall_status, window_size, series)
       select gen_random_uuid(), $1, $2, 'other ' || nth, now() + make_interval(secs => nth), 'IN_BOUNDS', 30, '[]' from generate_series(1, 1100) nth`,
      own,
    );
    await look(table);
    const kept = await qualityOf(world.ask, table.tableId, 'tap');
    expect([kept.length, kept[0]?.runId, kept[1]?.runId]).toEqual([1_001, 'run of a', 'stopped 101']);
    const points = await spcOf(world.ask, table.tableId, 'tap');
    expect([points.length, points[0]?.runId]).toEqual([1_000, 'other 101']);
  });
});

it('a look that can never be made ends with an ERROR of each check', async () => {
  const table = await aTable({ rules: [{ type: 'null_rate', column: 'word' }] }, 'a');
  const reported: unknown[] = [];
  const { inspection } = world.quality;
  const duckdb = Object.assign(Object.create(inspection.duckdb), {
    connect: () => Promise.reject(new Error('broken')),
  });
  const parts: QualityParts = {
    ...world.quality,
    report: (error) => reported.push(error),
    inspection: { ...inspection, duckdb },
  };
  await expect(look(table, { parts, attempt: 4 })).rejects.toThrow('broken');
  await look(table, { parts, attempt: 5 });
  expect((await looksAt(table)).map(toldBy)).toEqual([['null_rate:word ERROR']]);
  expect(reported).toHaveLength(1);
});

it('a look that is called off keeps nothing, however often it was tried', async () => {
  const table = await aTable({ rules: [{ type: 'null_rate', column: 'word' }] }, 'a');
  const calling = new AbortController();
  const reported: unknown[] = [];
  const calledOff = usingFiles((use) => {
    calling.abort(new Error('called off'));
    return use();
  });
  const parts: QualityParts = { ...calledOff, report: (error) => reported.push(error) };
  await expect(look(table, { parts, attempt: 9, signal: calling.signal })).rejects.toThrow('called off');
  expect([await looksAt(table), reported]).toEqual([[], []]);
});

describe('a table counts as degraded', () => {
  const rules = [{ type: 'null_rate' as const, column: 'word' }];

  it('by a job until a job says otherwise, and by a look until a look does', async () => {
    const table = await aTable({ rules }, 'a');
    await look(table);
    const degraded: boolean[] = [];
    for (const event of [
      () => report(table, 'night 1', 'FAIL'),
      () => run(table, 'b').then(() => look(table)),
      () => report(table, 'night 2', 'PASS'),
      () => run(table, null).then(() => look(table)),
      () => report(table, 'night 3', 'PASS'),
    ]) {
      await event();
      degraded.push((await degradedOf(world.ask, table.tableId)).includes('data'));
    }
    expect(degraded).toEqual([true, true, false, true, true]);
  });

  it('by no run that was stopped', async () => {
    const table = await aTable({}, 'a');
    const tapRules = [
      { type: 'null_rate' as const, column: 'word' },
      { type: 'row_count_min' as const, minimum: 2 },
    ];
    await changeContract(world.ask, table.tableId, 'tap', { rules: tapRules });
    await run(table, null);
    expect((await qualityOf(world.ask, table.tableId, 'tap')).map(toldBy).at(-1)).toEqual([
      'null_rate:word FAIL',
      'row_count_min FAIL',
    ]);
    expect(await degradedOf(world.ask, table.tableId)).toEqual([]);
    await run(table, null, 'b');
    expect(await degradedOf(world.ask, table.tableId)).toEqual(['tap']);
  });
});
