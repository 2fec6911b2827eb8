import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { decodeId } from '../../src/kernel/ids.js';
import { cleanUpTable } from '../../src/tables/files/clean-up-table.js';
import { waitUntil } from '../support/database/test-jobs.js';
import { aProcess, type TestProcess } from '../support/processes/test-process.js';
import { atScale } from '../support/soak.js';
import { type LoadedTable, loadedTables, statesOf, storedRows } from '../support/tables/loaded-tables.js';

const WORKER = 'test/support/processes/table-worker.js';
const KILLS = atScale(1, 30);
/** Each row is in its own file. A compaction needs at least 16 files. */
const MIN_ROWS_BETWEEN_KILLS = 20;
const MAX_PAUSE_MS = 300;

const loaded = await loadedTables();

const wordsOf = (worker: TestProcess): string[] =>
  [...worker.output().matchAll(/loaded (\S+)\n/g)].map(([, word]) => word as string);

/** Other processes would otherwise wait a minute for the lease of a killed process. */
const endLease = ({ tableId }: LoadedTable) =>
  loaded.query(`update catalog_table set writer_until = now() - interval '1 s' where id = $1`, [decodeId(tableId)]);

const isCompacted = async ({ tableId }: LoadedTable): Promise<boolean> => {
  const sql = `select id from table_file where table_id = $1 and state = 'live' and rows > 1`;
  return (await loaded.query(sql, [decodeId(tableId)])).length > 0;
};

async function kill(worker: TestProcess): Promise<void> {
  worker.child.kill('SIGKILL');
  await worker.ends();
}

/** Kills a writer and two compactions `KILLS` times. Returns the words that the writers printed. */
async function killWriters(table: LoadedTable, task: 'load' | 'merge'): Promise<string[]> {
  const { databaseUrl, folder } = loaded;
  const env = { DATABASE_URL: databaseUrl, FOLDER: folder, TENANT: table.tenantId, TABLE: table.tableId };
  const printed: string[] = [];
  for (let nth = 0; nth < KILLS; nth++) {
    const tasks = [task, 'compact', 'compact'];
    const workers = tasks.map((TASK) => aProcess({ ...env, TASK }, WORKER));
    await Promise.all(workers.map((worker) => worker.prints(/ready/)));
    const [writer] = workers as [TestProcess];
    await waitUntil(async () => wordsOf(writer).length >= MIN_ROWS_BETWEEN_KILLS && (await isCompacted(table)));
    await sleep(Math.random() * MAX_PAUSE_MS);
    await Promise.all(workers.map(kill));
    printed.push(...wordsOf(writer));
    await endLease(table);
  }
  return printed;
}

async function expectOnlyLiveFiles(table: LoadedTable): Promise<void> {
  for (let pass = 0; pass < 2; pass++) {
    await loaded.query(`update table_file set kept_until = now() - interval '1 s' where state <> 'live'`);
    await cleanUpTable(loaded.services, table, new AbortController().signal);
  }
  const states = Object.values(await statesOf(loaded, table));
  expect(states).toEqual(states.map(() => 'live'));
  const folder = decodeId(table.tableId) as string;
  expect((await loaded.filesInStore()).filter((name) => name.includes(folder))).toHaveLength(states.length);
  expect(await readdir(join(loaded.folder, 'files', '.parts'))).toEqual([]);
}

const rowsOf = async ({ tableId }: LoadedTable): Promise<number> =>
  (await loaded.query('select rows::int from catalog_table where id = $1', [decodeId(tableId)]))[0]?.rows;

it('rows committed by a killed writer are in the table exactly once', async () => {
  const table = await loaded.aTable();
  const printed = await killWriters(table, 'load');
  const words = (await storedRows(loaded, table)).map(({ word }) => word as string);
  expect(new Set(words).size).toBe(words.length);
  expect(printed.filter((word) => !words.includes(word))).toEqual([]);
  // Each kill may prevent the output of one committed row.
  expect(words.length - printed.length).toBeLessThanOrEqual(KILLS);
  expect(await rowsOf(table)).toBe(words.length);
  await expectOnlyLiveFiles(table);
}, 600_000);

it('a table that holds each record once has the newest version that a killed writer committed', async () => {
  const table = await loaded.aTable();
  const printed = await killWriters(table, 'merge');
  const rows = await storedRows(loaded, table);
  const stored = new Map(rows.map(({ word, _record_key }) => [_record_key as string, word as string]));
  expect(stored.size).toBe(rows.length);
  const keyOf = (word: string): string => word.slice(0, word.indexOf('='));
  const newest = new Map(printed.map((word) => [keyOf(word), word]));
  expect([...newest.keys()].filter((key) => !stored.has(key))).toEqual([]);
  // Each kill may prevent the output of one committed version.
  expect([...stored].filter(([key, word]) => newest.get(key) !== word).length).toBeLessThanOrEqual(KILLS);
  for (const [key, word] of newest) expect(word <= (stored.get(key) as string)).toBe(true);
  expect(await rowsOf(table)).toBe(rows.length);
  await expectOnlyLiveFiles(table);
}, 600_000);
