import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { decodeId } from '../../src/kernel/ids.js';
import { cleanUpTable } from '../../src/tables/files/clean-up-table.js';
import { waitUntil } from '../support/database/test-jobs.js';
import { aProcess, type TestProcess } from '../support/processes/test-process.js';
import { atScale } from '../support/soak.js';
import { loadedTables, statesOf, storedRows } from '../support/tables/loaded-tables.js';

const WORKER = 'test/support/processes/table-worker.js';
const KILLS = atScale(1, 30);
/** Minimum number of rows between two kills, each in its own file: as many as compaction merges. */
const MIN_ROWS_BETWEEN_KILLS = 20;
const MAX_PAUSE_MS = 300;

const loaded = await loadedTables();
const table = await loaded.aTable();

const wordsOf = (worker: TestProcess): string[] =>
  [...worker.output().matchAll(/loaded (\S+)\n/g)].map(([, word]) => word as string);

/** Ends the lease of a killed process, for which others would wait a minute. */
const endLease = () =>
  loaded.query(`update catalog_table set writer_until = now() - interval '1 s' where id = $1`, [
    decodeId(table.tableId),
  ]);

const hasMerged = async (): Promise<boolean> =>
  (await loaded.query(`select id from table_file where state = 'live' and rows > 1`)).length > 0;

async function kill(worker: TestProcess): Promise<void> {
  worker.child.kill('SIGKILL');
  await worker.ends();
}

it('rows committed by a killed writer are in the table exactly once', async () => {
  const { databaseUrl, folder } = loaded;
  const env = { DATABASE_URL: databaseUrl, FOLDER: folder, TENANT: table.tenantId, TABLE: table.tableId };
  const told: string[] = [];
  for (let nth = 0; nth < KILLS; nth++) {
    const tasks = ['load', 'compact', 'compact'];
    const workers = tasks.map((TASK) => aProcess({ ...env, TASK }, WORKER));
    await Promise.all(workers.map((worker) => worker.prints(/ready/)));
    const [loading] = workers as [TestProcess];
    await waitUntil(async () => wordsOf(loading).length >= MIN_ROWS_BETWEEN_KILLS && (await hasMerged()));
    await sleep(Math.random() * MAX_PAUSE_MS);
    await Promise.all(workers.map(kill));
    told.push(...wordsOf(loading));
    await endLease();
  }

  const words = (await storedRows(loaded, table)).map(({ word }) => word as string);
  expect(new Set(words).size).toBe(words.length);
  expect(told.filter((word) => !words.includes(word))).toEqual([]);
  // rows that were committed but not reported before the kill
  expect(words.length - told.length).toBeLessThanOrEqual(KILLS);
  const [sums] = await loaded.query('select rows::int from catalog_table where id = $1', [decodeId(table.tableId)]);
  expect(sums?.rows).toBe(words.length);

  for (let pass = 0; pass < 2; pass++) {
    await loaded.query(`update table_file set kept_until = now() - interval '1 s' where state <> 'live'`);
    await cleanUpTable(loaded.services, table, new AbortController().signal);
  }
  const states = Object.values(await statesOf(loaded, table));
  expect(states).toEqual(states.map(() => 'live'));
  expect(await loaded.filesInStore()).toHaveLength(states.length);
  expect(await readdir(join(folder, 'files', '.parts'))).toEqual([]);
}, 600_000);
