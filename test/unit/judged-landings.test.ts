import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { AcceptBatches } from '../../src/ingest/accept-batches.js';
import { landBatches } from '../../src/ingest/land-batches.js';
import { type FileStore, StoringFailed } from '../../src/kernel/file-store.js';
import { decodeId } from '../../src/kernel/ids.js';
import { watchArrivals } from '../../src/quality/watch-arrivals.js';
import { LocalFiles } from '../../src/tables/local-files.js';
import type { TableParts } from '../../src/tables/table-context.js';
import type { TableSchema } from '../../src/tables/table-schema.js';
import { type LandedTable, landedTables, onStore, rowsIn } from '../support/landed-tables.js';
import { changeContract, qualityOf, spcOf, toldBy } from '../support/quality.js';
import { statementsOf } from '../support/statements.js';

const WORDS: TableSchema = {
  fields: [
    { name: 'word', type: 'String' },
    { name: 'size', type: 'Integer' },
    { name: 'price', type: 'Decimal', scale: 2 },
  ],
};

const world = await landedTables();
const batches = new AcceptBatches(world.parts, 10);

let last = 0;
/** A batch of these records waits. */
async function accept(table: LandedTable, ...records: object[]): Promise<void> {
  const body = records.map((record) => JSON.stringify(record)).join('\n');
  last += 1;
  await batches.accept(table, {
    ...{ key: `key ${last}`, keptUntil: new Date(Date.now() + 60_000), receivedAt: new Date(), body },
    ...{ records: records.length, bytes: Buffer.byteLength(body) },
  });
}

function land({ tenantId, tapId }: LandedTable, parts: TableParts = world.parts, attempt = 1): Promise<void> {
  const job = { id: randomUUID(), attempt, signal: new AbortController().signal };
  return landBatches(parts, { tenantId, tapId }, job);
}

/** A table in which one row is, and so a contract, which says this of what comes next. */
async function aWatchedTable(changes: Parameters<typeof changeContract>[3]): Promise<LandedTable> {
  const table = await world.aTable(WORDS);
  await accept(table, { word: 'first', size: 1 });
  await land(table);
  await changeContract(world.ask, table.tableId, 'tap', changes);
  return table;
}

const qualityOfTap = ({ tableId }: LandedTable) => qualityOf(world.ask, tableId, 'tap');

async function wordsIn(table: LandedTable): Promise<unknown[]> {
  return (await rowsIn(world, table)).map(({ word }) => word).sort();
}

async function waitingIn({ tapId }: LandedTable): Promise<number> {
  const [row] = await world.ask('select count(*)::int from ingest_batch where tap_id = $1', [decodeId(tapId)]);
  return row?.count;
}

const NO_NULLS = { primaryKey: ['word'], rules: [{ type: 'primary_key_null' as const }] };

describe('a landing', () => {
  it('makes the contracts of its table with the first rows, and keeps what was found about each run', async () => {
    const table = await world.aTable(WORDS);
    await accept(table, { word: 'a' }, { word: 'b' });
    await land(table);
    await accept(table, { word: 'c' });
    await land(table);
    const contracts = await world.ask('select scope from table_contract where table_id = $1 order by scope', [
      decodeId(table.tableId),
    ]);
    expect(contracts.map(({ scope }) => scope)).toEqual(['data', 'tap']);
    const results = await qualityOfTap(table);
    expect(results.map(toldBy)).toEqual([
      ['schema_columns PASS', 'schema_types PASS'],
      ['schema_columns PASS', 'schema_types PASS'],
    ]);
    expect(results).toMatchObject([
      { lifecycle: 'promote', measures: { rows: 2 } },
      { lifecycle: 'promote', measures: { rows: 1 } },
    ]);
    const points = (await spcOf(world.ask, table.tableId, 'tap')).map(({ series }) => series);
    expect(points.flat().map(({ seriesKind, latestValue }) => [seriesKind, latestValue])).toEqual([
      ['TABLE_ROW_COUNT', 2],
      ['TABLE_ROW_COUNT', 1],
    ]);
  });

  it('lands records with a NUL in what speaks against a check', async () => {
    const rules = [{ type: 'null_rate' as const, column: 'size' }];
    const table = await aWatchedTable({ primaryKey: ['word'], rules });
    await accept(table, { word: 'a\u0000b' });
    await land(table);
    const [, result] = await qualityOfTap(table);
    expect(result?.checks).toMatchObject([{ status: 'FAIL', evidence: { sampleKeys: ['a\ufffdb'] } }]);
    expect(await waitingIn(table)).toBe(0);
  });

  it('has the whole table looked at soon', async () => {
    const table = await aWatchedTable({});
    const jobs = await world.ask(
      `select extract(epoch from start_after - created_on)::int as delay from taproot_jobs.job where name = 'table-quality' and singleton_key = $1`,
      [table.tableId],
    );
    expect(jobs).toEqual([{ delay: 3 }]);
  });

  it('has the whole table looked at each hour, also where all rows are stopped from the first on', async () => {
    const table = await world.aTable(WORDS, { retentionDays: 4_711 });
    await world.ask(
      `update connector_tap set quality_config = $2 where id = (select tap_id from tenant_connector_tap where id = $1)`,
      [decodeId(table.tapId), JSON.stringify({ rules: [{ type: 'parse_failures' }] })],
    );
    await accept(table, { size: 'many' });
    await land(table);
    const jobs = await world.ask(
      `select singleton_key as key from taproot_jobs.job where name = 'table-quality' and singleton_key like $1`,
      [`${table.tableId}%`],
    );
    expect((await qualityOfTap(table)).map(({ overallStatus }) => overallStatus)).toEqual(['FAIL']);
    expect(jobs).toEqual([{ key: `${table.tableId} hourly` }]);
  });

  it('keeps nothing where it is not committed', async () => {
    const table = await aWatchedTable({});
    await accept(table, { word: 'a' });
    const { watch } = world.parts;
    const robbed: TableParts = {
      ...world.parts,
      watch: {
        ...watch,
        judgesBatches: watch.judgesBatches,
        left: watch.left,
        async judge(arrival) {
          const verdict = await watch.judge(arrival);
          await world.ask('update catalog_table set writer = $1 where id = $2', [
            randomUUID(),
            decodeId(table.tableId),
          ]);
          return verdict;
        },
      },
    };
    await expect(land(table, robbed)).rejects.toThrow('lease');
    expect(await qualityOfTap(table)).toHaveLength(1);
    await world.ask('update catalog_table set writer = null where id = $1', [decodeId(table.tableId)]);
    await land(table);
    expect(await qualityOfTap(table)).toHaveLength(2);
  });

  it('compares a run with the one before it', async () => {
    const rules = [{ type: 'row_count_delta' as const, maxRate: 0.5 }];
    const table = await aWatchedTable({ rules });
    await accept(table, { word: 'a' });
    await land(table);
    await accept(table, { word: 'b' }, { word: 'c' });
    await land(table);
    const [, ...results] = await qualityOfTap(table);
    expect(results.map(toldBy)).toEqual([['row_count_delta PASS'], ['row_count_delta FAIL']]);
  });

  it('reads no file where nothing is asked about the values', async () => {
    const table = await world.aTable(WORDS);
    const noFiles = onStore(world.parts, { copyTo: () => Promise.reject(new Error('somebody reads')) });
    const quality = {
      ...world.quality,
      inspection: { ...world.quality.inspection, localFiles: filesOf(noFiles.store) },
    };
    await accept(table, { word: 'a' });
    await land(table, { ...world.parts, watch: watchArrivals(quality) });
    expect(await qualityOfTap(table)).toHaveLength(1);
    await changeContract(world.ask, table.tableId, 'tap', { series: [{ kind: 'COLUMN_NULL_RATE', column: 'word' }] });
    await accept(table, { word: 'b' });
    await expect(land(table, { ...world.parts, watch: watchArrivals(quality) })).rejects.toThrow('somebody reads');
  });
});

function filesOf(store: FileStore): LocalFiles {
  return new LocalFiles(store, world.parts.folder);
}

describe('rows that a check of GATE_1 stops', () => {
  it('become rejects with what was found, batch by batch, and all others land', async () => {
    const table = await aWatchedTable(NO_NULLS);
    for (const word of ['a', 'b', null, 'c', null]) await accept(table, { word }, { word: word && `${word}${word}` });
    await land(table);
    expect(await wordsIn(table)).toEqual(['a', 'aa', 'b', 'bb', 'c', 'cc', 'first']);
    const rejects = await rowsIn(world, table, 'rejects');
    expect(rejects).toHaveLength(4);
    for (const reject of rejects)
      expect(reject).toMatchObject({ reason: expect.stringContaining('primary_key_null'), record: '{"word":null}' });
    expect(await waitingIn(table)).toBe(0);
  });

  it('keep the reason of those that fit no column anyway', async () => {
    const table = await aWatchedTable(NO_NULLS);
    await accept(table, { word: null }, { word: 'a', size: 'many' }, { word: 'b', price: 1.234 }, { word: 'c' });
    await land(table);
    const reasons = (await rowsIn(world, table, 'rejects')).map(({ reason }) => reason as string);
    expect(reasons.map((reason) => reason.split(' ', 2).join(' '))).toEqual([
      'primary_key_null is',
      ...['column "size":', 'column "price":'],
      'primary_key_null is',
    ]);
    expect(await wordsIn(table)).toEqual(['first']);
  });

  it('leave one result for each batch that was stopped, without points, which no later run is compared with', async () => {
    const table = await aWatchedTable({
      ...NO_NULLS,
      rules: [...NO_NULLS.rules, { type: 'row_count_delta', maxRate: 0 }],
    });
    await accept(table, { word: null }, { word: null });
    await land(table);
    await accept(table, { word: 'a' });
    await land(table);
    const [, stopped, landed, ...others] = await qualityOfTap(table);
    expect(others).toEqual([]);
    expect(stopped).toMatchObject({ overallStatus: 'FAIL', lifecycle: 'promote', measures: null });
    expect(toldBy(landed as never)).toEqual(['primary_key_null PASS', 'row_count_delta PASS']);
    expect((await spcOf(world.ask, table.tableId, 'tap')).map(({ runId }) => runId)).not.toContain(stopped?.runId);
  });

  it('bring no columns along', async () => {
    const table = await aWatchedTable({ rules: [{ type: 'schema_columns' }], allowsNewColumns: false });
    await accept(table, { word: 'a' });
    await accept(table, { word: 'b', colour: 'red' });
    await accept(table, { word: 'c' });
    await land(table);
    expect(await wordsIn(table)).toEqual(['a', 'c', 'first']);
    const [row] = await world.ask('select schema, schema_version from catalog_table where id = $1', [
      decodeId(table.tableId),
    ]);
    expect(row).toEqual({ schema: WORDS, schema_version: 1 });
    expect(await rowsIn(world, table, 'rejects')).toMatchObject([{ record: '{"word":"b","colour":"red"}' }]);
    const files = await world.ask('select distinct schema_version from table_file where table_id = $1 and state = $2', [
      decodeId(table.tableId),
      'live',
    ]);
    expect(files).toEqual([{ schema_version: 1 }]);
  });

  it.each([
    ['together', 1, 2],
    ['one by one where something failed again and again', 5, 3],
  ])('are put beside %s, each batch with its own reason', async (_, attempt, commits) => {
    const table = await aWatchedTable({ rules: [{ type: 'row_count_min', minimum: 3 }], runScope: 'batch' });
    await accept(table, { word: 'a' });
    await accept(table, { word: 'b' }, { word: 'c' });
    await accept(table, { word: 'd' }, { word: 'e' }, { word: 'f' });
    const statements = await statementsOf(() => land(table, world.parts, attempt));
    expect(statements.filter((sql) => sql.startsWith('delete from ingest_batch'))).toHaveLength(commits);
    expect(await wordsIn(table)).toEqual(['d', 'e', 'f', 'first']);
    const reasons = (await rowsIn(world, table, 'rejects')).map(({ reason, record }) => `${reason} ${record}`).sort();
    expect(reasons.map((text) => text.replace(/ \(.*\{/, ' {'))).toEqual([
      'row_count_min is 1 {"word":"a"}',
      'row_count_min is 2 {"word":"b"}',
      'row_count_min is 2 {"word":"c"}',
    ]);
    const [, ...results] = await qualityOfTap(table);
    expect(results.map(toldBy)).toEqual([['row_count_min FAIL'], ['row_count_min FAIL'], ['row_count_min PASS']]);
    expect(await waitingIn(table)).toBe(0);
  });
});

describe('a contract that asks for each batch', () => {
  it('has each one land by itself, with a result of its own', async () => {
    const table = await aWatchedTable({ runScope: 'batch', rules: [{ type: 'row_count_min', minimum: 2 }] });
    await accept(table, { word: 'a' }, { word: 'b' });
    await accept(table, { word: 'c' });
    await accept(table, { word: 'd' }, { word: 'e' });
    await land(table);
    const [, ...results] = await qualityOfTap(table);
    expect(results.map(toldBy)).toEqual([['row_count_min PASS'], ['row_count_min FAIL'], ['row_count_min PASS']]);
    expect(await wordsIn(table)).toEqual(['a', 'b', 'd', 'e', 'first']);
    expect(await rowsIn(world, table, 'rejects')).toMatchObject([{ record: '{"word":"c"}' }]);
  });
});

describe('rows that cannot be looked at', () => {
  const broken = (error: Error, reported: unknown[] = []): TableParts => {
    const connect = () => Promise.reject(error);
    const duckdb = Object.assign(Object.create(world.quality.inspection.duckdb), { connect });
    const report = (thrown: unknown) => reported.push(thrown);
    const quality = { ...world.quality, report, inspection: { ...world.quality.inspection, duckdb } };
    return { ...world.parts, watch: watchArrivals(quality) };
  };
  const ASKING = { rules: [{ type: 'null_rate' as const, column: 'word' }] };

  it('are looked at again, and come in at last, with an ERROR', async () => {
    const table = await aWatchedTable(ASKING);
    await accept(table, { word: 'a' });
    const reported: unknown[] = [];
    const parts = broken(new Error('poisonous'), reported);
    for (const attempt of [1, 4]) await expect(land(table, parts, attempt)).rejects.toThrow('poisonous');
    expect([await waitingIn(table), reported]).toEqual([1, []]);
    await land(table, parts, 5);
    expect([await waitingIn(table), await wordsIn(table), reported.length]).toEqual([0, ['a', 'first'], 1]);
    expect((await qualityOfTap(table)).map(toldBy).at(-1)).toEqual(['null_rate:word ERROR']);
    expect((await qualityOfTap(table)).at(-1)).toMatchObject({ measures: { rows: 1 } });
    expect(await spcOf(world.ask, table.tableId, 'tap')).toHaveLength(1);
  });

  it('wait for as long as the store is away', async () => {
    const table = await aWatchedTable(ASKING);
    await accept(table, { word: 'a' });
    const away = broken(new StoringFailed('ECONNREFUSED', { cause: undefined }));
    await expect(land(table, away, 50)).rejects.toThrow(StoringFailed);
    expect(await waitingIn(table)).toBe(1);
  });
});

it('judging takes one transaction more than landing', async () => {
  const table = await aWatchedTable({});
  await accept(table, { word: 'a' });
  const judged = await statementsOf(() => land(table));
  await accept(table, { word: 'b' });
  const verdict = { keep: async () => undefined };
  const blind = { judgesBatches: async () => false, judge: async () => verdict, left: async () => undefined };
  const unjudged = await statementsOf(() => land(table, { ...world.parts, watch: blind }));
  const begun = (statements: readonly string[]): number => statements.filter((sql) => /^begin/i.test(sql)).length;
  expect(begun(judged) - begun(unjudged)).toBe(1);
});
