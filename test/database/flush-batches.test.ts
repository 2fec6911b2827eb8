import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LeaseLost } from '../../src/kernel/concurrency/lease.js';
import { type FileStore, FileStoreError } from '../../src/kernel/files/file-store.js';
import { decodeId } from '../../src/kernel/ids.js';
import type { DuckDb } from '../../src/tables/duckdb.js';
import type { TableServices } from '../../src/tables/table-context.js';
import { type LoadedTable, loadedTables, storedRows, WORD_SCHEMA } from '../support/tables/loaded-tables.js';
import { pendingBatches, words } from '../support/tables/pending-batches.js';

const world = await loadedTables();
const { accept, flush, waitingIn } = pendingBatches(world);

function servicesWithStore(beforePut: () => Promise<unknown>): TableServices {
  const store: FileStore = Object.create(world.services.store);
  store.put = async (...args) => {
    await beforePut();
    return world.services.store.put(...args);
  };
  return { ...world.services, store };
}

/** DuckDB fails to write files if a staged row contains `poison`. */
function servicesFailingOn(poison: string, reported: unknown[]): TableServices {
  const { folder, writer } = world.services;
  const connect: DuckDb['connect'] = async (work) => {
    const names = await readdir(folder, { recursive: true });
    const staged = names.filter((name) => name.includes('/data-')).map((name) => readFile(join(folder, name), 'utf8'));
    if ((await Promise.all(staged)).some((text) => text.includes(poison))) throw new Error('poisonous');
    return writer.connect(work);
  };
  const failing: DuckDb = Object.assign(Object.create(writer), { connect });
  return { ...world.services, writer: failing, smallWriter: failing, report: (error) => reported.push(error) };
}

async function tableOf({ tableId }: LoadedTable) {
  const [row] = await world.query('select * from catalog_table where id = $1', [decodeId(tableId)]);
  return row;
}

describe('flushBatches', () => {
  it('loads all pending batches into files', async () => {
    const table = await world.aTable();
    await accept(table, words('a', 'b'));
    await accept(table, words('c'));
    await flush(table);
    expect(await tableOf(table)).toMatchObject({ rows: '3', rejected_rows: '0', file_count: 1, schema_version: 1 });
    expect(await waitingIn(table)).toBe(0);
  });

  it('loads only batches that were pending at its start, so that later batches are loaded together', async () => {
    const table = await world.aTable();
    await accept(table, words('a'));
    await flush(
      table,
      servicesWithStore(() => accept(table, words('later'))),
    );
    expect([await waitingIn(table), (await tableOf(table))?.rows]).toEqual([1, '1']);
  });

  it.each([
    ['queued', 1],
    ['running', 1],
    ['failed', 0],
    ['succeeded', 0],
  ])('waits for a publication of the table: %s', async (status, left) => {
    const table = await world.aTable();
    await world.query(
      `insert into publication (id, tenant_id, tap_id, artifact_id, status, bytes_read, bytes_total, rows, rejected_rows)
       values ($1, $2, $3, $1, $4, 0, 0, 0, 0)`,
      [randomUUID(), decodeId(table.tenantId), decodeId(table.tapId), status],
    );
    await accept(table, words('a'));
    await flush(table);
    expect(await waitingIn(table)).toBe(left);
    const again = 'select from taproot_jobs.job where singleton_key = $1 and start_after > now()';
    expect(await world.query(again, [`${table.tapId} again`])).toHaveLength(left);
  });

  it('rejects a batch that fails repeatedly, with the reason, and loads other batches', async () => {
    const table = await world.aTable();
    for (const word of ['a', 'b', 'poison', 'c']) await accept(table, words(word, word));
    await expect(flush(table, servicesFailingOn('poison', []), 4)).rejects.toThrow('poisonous');
    expect(await waitingIn(table)).toBe(4);
    const reported: unknown[] = [];
    await flush(table, servicesFailingOn('poison', reported), 5);
    expect([await waitingIn(table), await tableOf(table)]).toMatchObject([0, { rows: '6', rejected_rows: '2' }]);
    expect(await storedRows(world, table, 'rejects')).toMatchObject([
      { _row: '1', record: '{"word":"poison"}', reason: expect.stringContaining('could not load the batch') },
      { _row: '2', record: '{"word":"poison"}' },
    ]);
    expect(reported).toEqual([expect.any(Error)]);
  });

  it('rejects no batch if the file store fails', async () => {
    const table = await world.aTable();
    for (const word of ['a', 'b']) await accept(table, words(word));
    let attempts = 0;
    const failing = servicesWithStore(async () => {
      attempts += 1;
      if (attempts === 1) throw new FileStoreError('ENOSPC', { cause: undefined });
    });
    await expect(flush(table, failing, 50)).rejects.toThrow(FileStoreError);
    expect([await waitingIn(table), (await tableOf(table))?.rejected_rows]).toEqual([2, '0']);
  });

  it.each(['check', 'openGate'] as const)(
    'rejects no batch if the service fails to load its files: %s',
    async (name) => {
      const table = await world.aTable();
      for (const word of ['a', 'b']) await accept(table, words(word));
      const { hooks } = world.services;
      const fail = () => Promise.reject(new Error('a fault of the service'));
      const openGate: typeof hooks.openGate = async (...args) =>
        name === 'openGate' ? fail() : { ...(await hooks.openGate(...args)), check: fail };
      const failing = { ...world.services, hooks: { ...hooks, openGate }, report: () => undefined };
      await expect(flush(table, failing, 50)).rejects.toThrow('a fault of the service');
      expect([await waitingIn(table), (await tableOf(table))?.rejected_rows]).toEqual([2, '0']);
      await flush(table);
      expect(await tableOf(table)).toMatchObject({ rows: '2', rejected_rows: '0' });
    },
  );

  it('loads pending batches once if another writer takes over the table', async () => {
    const table = await world.aTable();
    await accept(table, words('a'));
    const steal = 'update catalog_table set writer = $1 where id = $2';
    const meddling = servicesWithStore(() => world.query(steal, [randomUUID(), decodeId(table.tableId)]));
    await expect(flush(table, meddling)).rejects.toThrow(LeaseLost);
    expect([await waitingIn(table), (await tableOf(table))?.rows]).toEqual([1, '0']);
    await world.query('update catalog_table set writer = null, writer_until = null where id = $1', [
      decodeId(table.tableId),
    ]);
    await flush(table);
    expect([await waitingIn(table), (await tableOf(table))?.rows]).toEqual([0, '1']);
  });

  it('rolls back if another worker has loaded a batch', async () => {
    const table = await world.aTable();
    await accept(table, words('a'));
    await accept(table, words('b'));
    const take = `delete from ingest_batch where id in (select id from ingest_batch where tap_id = $1 limit 1)`;
    const meddling = servicesWithStore(() => world.query(take, [decodeId(table.tapId)]));
    await expect(flush(table, meddling)).rejects.toThrow(LeaseLost);
    expect([await waitingIn(table), (await tableOf(table))?.rows]).toEqual([1, '0']);
  });

  it('keeps pending batches if the file store fails', async () => {
    const table = await world.aTable();
    await accept(table, words('a'));
    const failing = servicesWithStore(() => Promise.reject(new Error('no space')));
    await expect(flush(table, failing)).rejects.toThrow('no space');
    expect([await waitingIn(table), (await tableOf(table))?.rows]).toEqual([1, '0']);
  });

  it('retries if another writer has the table', async () => {
    const table = await world.aTable();
    await accept(table, words('a'));
    const [before] = await world.query(`select count(*)::int from taproot_jobs.job where name = 'land-batches'`);
    await world.query(
      `update catalog_table set writer = $1, writer_until = now() + interval '1 minute' where id = $2`,
      [...[randomUUID(), decodeId(table.tableId)]],
    );
    await flush(table);
    const [after] = await world.query(`select count(*)::int from taproot_jobs.job where name = 'land-batches'`);
    expect([await waitingIn(table), after?.count]).toEqual([1, before?.count + 1]);
  });

  it('loads every batch once if two workers run', async () => {
    const table = await world.aTable();
    for (let nth = 0; nth < 5; nth++) await accept(table, words(`${nth}`));
    await Promise.all([flush(table), flush(table)]);
    await flush(table);
    expect([await waitingIn(table), (await tableOf(table))?.rows]).toEqual([0, '5']);
  });

  it('rejects unreadable records and loads the records after them', async () => {
    const table = await world.aTable();
    await accept(table, ['no record at all', '{"word":1}', ...words('a')]);
    await flush(table);
    expect([await waitingIn(table), await tableOf(table)]).toMatchObject([0, { rows: '1', rejected_rows: '2' }]);
  });

  it('adds new columns and never changes existing columns', async () => {
    const table = await world.aTable();
    await accept(table, ['{"word":"a","size":1}']);
    await flush(table);
    await accept(table, ['{"word":"b","size":1.5}', '{"word":"c","size":2,"kind":true}']);
    await flush(table);
    const { schema, schema_version, rows, rejected_rows } = (await tableOf(table)) ?? {};
    expect(schema.fields).toEqual([
      ...WORD_SCHEMA.fields,
      { name: 'size', type: 'Integer' },
      { name: 'kind', type: 'Boolean' },
    ]);
    expect([schema_version, rows, rejected_rows]).toEqual([3, '2', '1']);
  });

  it('adds a column that only the last pending batch has', async () => {
    const table = await world.aTable();
    for (let nth = 0; nth < 5; nth++) await accept(table, words('x'.repeat(1_000_000)));
    await accept(table, ['{"word":"a","more":1}']);
    await flush(table);
    expect(await tableOf(table)).toMatchObject({ rows: '6', rejected_rows: '0', schema_version: 2 });
  });

  it('deletes only expired deliveries', async () => {
    const table = await world.aTable();
    await accept(table, words('old'), { keptUntil: new Date(Date.now() - 1_000) });
    await accept(table, words('new'));
    await flush(table);
    const left = await world.query('select key from ingest_delivery where tap_id = $1', [decodeId(table.tapId)]);
    expect(left).toHaveLength(1);
  });
});
