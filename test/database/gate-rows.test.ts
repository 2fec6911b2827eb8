import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type FileStore, FileStoreError } from '../../src/kernel/files/file-store.js';
import { decodeId } from '../../src/kernel/ids.js';
import { gateRows } from '../../src/quality/runs/gate-rows.js';
import { LocalFileCache } from '../../src/tables/local-file-cache.js';
import type { TableServices } from '../../src/tables/table-context.js';
import { captureStatements } from '../support/database/captured-statements.js';
import { gatedTables, ITEMS_SCHEMA } from '../support/quality/gated-tables.js';
import { changeContract, checkStatusesOf, spcOf } from '../support/quality/quality-results.js';
import { withFileStore } from '../support/tables/loaded-tables.js';

const { world, accept, flush, aWatchedTable, qualityOfTap, wordsIn, waitingIn } = await gatedTables();

function filesOf(store: FileStore): LocalFileCache {
  return new LocalFileCache(store, world.services.folder);
}

describe('a flush', () => {
  it('creates the contracts of its table with the first rows, and saves the result of every run', async () => {
    const table = await world.aTable(ITEMS_SCHEMA);
    await accept(table, { word: 'a' }, { word: 'b' });
    await flush(table);
    await accept(table, { word: 'c' });
    await flush(table);
    const contracts = await world.query('select scope from table_contract where table_id = $1 order by scope', [
      decodeId(table.tableId),
    ]);
    expect(contracts.map(({ scope }) => scope)).toEqual(['data', 'tap']);
    const results = await qualityOfTap(table);
    expect(results.map(checkStatusesOf)).toEqual([
      ['schema_columns PASS', 'schema_types PASS'],
      ['schema_columns PASS', 'schema_types PASS'],
    ]);
    expect(results).toMatchObject([
      { lifecycle: 'promote', measures: { rows: 2 } },
      { lifecycle: 'promote', measures: { rows: 1 } },
    ]);
    const points = (await spcOf(world.query, table.tableId, 'tap')).map(({ series }) => series);
    expect(points.flat().map(({ seriesKind, latestValue }) => [seriesKind, latestValue])).toEqual([
      ['TABLE_ROW_COUNT', 2],
      ['TABLE_ROW_COUNT', 1],
    ]);
  });

  it('loads records although the evidence of a failed check contains a NUL', async () => {
    const rules = [{ type: 'null_rate' as const, column: 'size' }];
    const table = await aWatchedTable({ primaryKey: ['word'], rules });
    await accept(table, { word: 'a\u0000b' });
    await flush(table);
    const [, result] = await qualityOfTap(table);
    expect(result?.checks).toMatchObject([{ status: 'FAIL', evidence: { sampleKeys: ['a\ufffdb'] } }]);
    expect(await waitingIn(table)).toBe(0);
  });

  it('schedules a check of the whole table', async () => {
    const table = await aWatchedTable({});
    const jobs = await world.query(
      `select extract(epoch from start_after - created_on)::int as delay from taproot_jobs.job where name = 'table-quality' and singleton_key = $1`,
      [table.tableId],
    );
    expect(jobs).toEqual([{ delay: 3 }]);
  });

  it('schedules an hourly check of the whole table, even if all rows are rejected', async () => {
    const table = await world.aTable(ITEMS_SCHEMA, { retentionDays: 4_711 });
    await world.query(
      `update connector_tap set quality_config = $2 where id = (select tap_id from tenant_connector_tap where id = $1)`,
      [decodeId(table.tapId), JSON.stringify({ rules: [{ type: 'parse_failures' }] })],
    );
    await accept(table, { size: 'many' });
    await flush(table);
    const jobs = await world.query(
      `select singleton_key as key from taproot_jobs.job where name = 'table-quality' and singleton_key like $1`,
      [`${table.tableId}%`],
    );
    expect((await qualityOfTap(table)).map(({ overallStatus }) => overallStatus)).toEqual(['FAIL']);
    expect(jobs).toEqual([{ key: `${table.tableId} hourly` }]);
  });

  it('saves no result if it is rolled back', async () => {
    const table = await aWatchedTable({});
    await accept(table, { word: 'a' });
    const { hooks: watch } = world.services;
    const robbed: TableServices = {
      ...world.services,
      hooks: {
        ...watch,
        async openGate(...given) {
          const { check, checksEachBatch } = await watch.openGate(...given);
          return {
            checksEachBatch,
            async check(arrival) {
              const decision = await check(arrival);
              await world.query('update catalog_table set writer = $1 where id = $2', [
                randomUUID(),
                decodeId(table.tableId),
              ]);
              return decision;
            },
          };
        },
      },
    };
    await expect(flush(table, robbed)).rejects.toThrow('lease');
    expect(await qualityOfTap(table)).toHaveLength(1);
    await world.query('update catalog_table set writer = null where id = $1', [decodeId(table.tableId)]);
    await flush(table);
    expect(await qualityOfTap(table)).toHaveLength(2);
  });

  it('compares a run with the previous run', async () => {
    const rules = [{ type: 'row_count_delta' as const, maxRate: 0.5 }];
    const table = await aWatchedTable({ rules });
    await accept(table, { word: 'a' });
    await flush(table);
    await accept(table, { word: 'b' }, { word: 'c' });
    await flush(table);
    const [, ...results] = await qualityOfTap(table);
    expect(results.map(checkStatusesOf)).toEqual([['row_count_delta PASS'], ['row_count_delta FAIL']]);
  });

  it('reads no file if no check needs the values', async () => {
    const table = await world.aTable(ITEMS_SCHEMA);
    const noFiles = withFileStore(world.services, { copyTo: () => Promise.reject(new Error('unexpected read')) });
    const quality = {
      ...world.quality,
      inspection: { ...world.quality.inspection, localFiles: filesOf(noFiles.store) },
    };
    await accept(table, { word: 'a' });
    await flush(table, { ...world.services, hooks: gateRows(quality) });
    expect(await qualityOfTap(table)).toHaveLength(1);
    await changeContract(world.query, table.tableId, 'tap', { series: [{ kind: 'COLUMN_NULL_RATE', column: 'word' }] });
    await accept(table, { word: 'b' });
    await expect(flush(table, { ...world.services, hooks: gateRows(quality) })).rejects.toThrow('unexpected read');
  });
});

describe('rows that cannot be checked', () => {
  const broken = (error: Error, reported: unknown[] = []): TableServices => {
    const connect = () => Promise.reject(error);
    const duckdb = Object.assign(Object.create(world.quality.inspection.duckdb), { connect });
    const report = (thrown: unknown) => reported.push(thrown);
    const quality = { ...world.quality, report, inspection: { ...world.quality.inspection, duckdb } };
    return { ...world.services, hooks: gateRows(quality) };
  };
  const ASKING = { rules: [{ type: 'null_rate' as const, column: 'word' }] };

  it('are checked again, and finally loaded with the status ERROR', async () => {
    const table = await aWatchedTable(ASKING);
    await accept(table, { word: 'a' });
    const reported: unknown[] = [];
    const services = broken(new Error('poisonous'), reported);
    for (const attempt of [1, 4]) await expect(flush(table, services, attempt)).rejects.toThrow('poisonous');
    expect([await waitingIn(table), reported]).toEqual([1, []]);
    await flush(table, services, 5);
    expect([await waitingIn(table), await wordsIn(table), reported.length]).toEqual([0, ['a', 'first'], 1]);
    expect((await qualityOfTap(table)).map(checkStatusesOf).at(-1)).toEqual(['null_rate:word ERROR']);
    expect((await qualityOfTap(table)).at(-1)).toMatchObject({ measures: { rows: 1 } });
    expect(await spcOf(world.query, table.tableId, 'tap')).toHaveLength(1);
  });

  it('wait while the file store is unavailable', async () => {
    const table = await aWatchedTable(ASKING);
    await accept(table, { word: 'a' });
    const away = broken(new FileStoreError('ECONNREFUSED', { cause: undefined }));
    await expect(flush(table, away, 50)).rejects.toThrow(FileStoreError);
    expect(await waitingIn(table)).toBe(1);
  });
});

it('the gate needs no additional transaction', async () => {
  const table = await aWatchedTable({});
  await accept(table, { word: 'a' });
  const withGate = await captureStatements(() => flush(table));
  await accept(table, { word: 'b' });
  const decision = { save: async () => undefined };
  const gate = { checksEachBatch: false, check: async () => decision };
  const open = {
    openGate: async () => gate,
    onTapDeleted: async () => undefined,
    onTapRestored: async () => undefined,
  };
  const withoutGate = await captureStatements(() => flush(table, { ...world.services, hooks: open }));
  const begun = (statements: readonly string[]): number => statements.filter((sql) => /^begin/i.test(sql)).length;
  expect(begun(withGate) - begun(withoutGate)).toBe(0);
});
