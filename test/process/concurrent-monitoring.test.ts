import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { runTenantTransaction } from '../../src/kernel/reading/tenant-transaction.js';
import { tableQualityQueue } from '../../src/quality/contracts/table-quality-job.js';
import { waitUntil } from '../support/database/test-jobs.js';
import { aProcess, type TestProcess } from '../support/processes/test-process.js';
import { changeContract, qualityOf, spcOf } from '../support/quality/quality-results.js';
import { atScale, IS_SOAK } from '../support/soak.js';
import { type LoadedTable, loadedTables, loadRun, WORD_SCHEMA } from '../support/tables/loaded-tables.js';

const TABLES = atScale(4, 50);
const RUNS = atScale(2, 10);
const KILLS = atScale(1, 10);

const world = await loadedTables();
let workers: TestProcess[] = [];

afterEach(async () => {
  for (const { child } of workers) child.kill('SIGKILL');
  await Promise.all(workers.map((worker) => worker.ends()));
  workers = [];
});

async function aWorker(): Promise<TestProcess> {
  const env = { DATABASE_URL: world.databaseUrl, FOLDER: world.folder };
  const worker = aProcess(env, 'test/support/processes/quality-worker.js');
  workers.push(worker);
  await worker.prints(/ready/);
  return worker;
}

async function run(table: LoadedTable, runId: string): Promise<void> {
  const { services } = world;
  const { tenantId, tableId } = table;
  await loadRun(services, table, runId, [['a'], ['b']]);
  const series = [{ kind: 'COLUMN_DISTINCT_COUNT' as const, column: 'word' }];
  await changeContract(world.query, tableId, 'data', { series });
  await runTenantTransaction(services.em, services.tables, tenantId, async ({ em }) => {
    for (let nth = 0; nth < 3; nth++)
      await services.jobs.enqueue(em, tableQualityQueue, { tenantId, tableId }, { key: `${tableId} copy ${nth}` });
  });
}

const looksBegunBy = (worker: TestProcess): number => worker.output().split('begins').length - 1;

async function countPendingJobs(): Promise<number> {
  const [row] = await world.query(
    `select count(*)::int from taproot_jobs.job where name = 'table-quality'
     and (state in ('active', 'retry') or state = 'created' and start_after < now() + interval '1 minute')`,
  );
  return row?.count;
}

/** Makes active jobs due, because the queue repeats the jobs of a killed process only after half a minute. */
async function hurry(): Promise<void> {
  await world.query(
    `update taproot_jobs.job set state = 'retry', start_after = now() where name = 'table-quality' and state = 'active'`,
  );
}

it('processes that share a database monitor each table once after each run, even if one process is killed', async () => {
  await Promise.all([aWorker(), aWorker()]);
  const tables = await Promise.all(Array.from({ length: TABLES }, () => world.aTable(WORD_SCHEMA)));
  let kills = 0;
  for (let nth = 1; nth <= RUNS; nth++) {
    const before = workers.map(looksBegunBy);
    for (const table of tables) await run(table, `run ${nth}`);
    if (kills < KILLS) {
      kills += 1;
      const busyWorker = () => workers.find((worker, at) => looksBegunBy(worker) > (before[at] as number));
      await waitUntil(() => busyWorker() !== undefined);
      busyWorker()?.child.kill('SIGKILL');
      await aWorker();
      if (!IS_SOAK) await hurry();
    }
    await waitUntil(async () => (await countPendingJobs()) === 0, 120);
  }
  await sleep(200);
  const wanted = Array.from({ length: RUNS }, (_, nth) => `run ${nth + 1}`);
  for (const { tableId } of tables) {
    expect((await qualityOf(world.query, tableId, 'data')).map(({ runId }) => runId)).toEqual(wanted);
    expect((await spcOf(world.query, tableId, 'data')).map(({ runId }) => runId)).toEqual(wanted);
    const hourly = `select from taproot_jobs.job where singleton_key = $1 and state = 'created'`;
    expect(await world.query(hourly, [`${tableId} hourly`])).toHaveLength(1);
  }
}, 300_000);
