import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { LeaseLost } from '../../src/kernel/concurrency/lease.js';
import { FileStoreError } from '../../src/kernel/files/file-store.js';
import { decodeId } from '../../src/kernel/ids.js';
import { runTenantTransaction } from '../../src/kernel/reading/tenant-transaction.js';
import { ensureTable } from '../../src/tables/ensure-table.js';
import { tryLockTap } from '../../src/tables/existing-tap.js';
import { type TableLease, withTableLease } from '../../src/tables/files/table-lease.js';
import type { TableServices } from '../../src/tables/table-context.js';
import {
  commitFiles,
  type LoadedTable,
  loadedTables,
  loadRows,
  statesOf,
  storedRows,
  WORD_SCHEMA,
  withFileStore,
  writeFiles,
} from '../support/tables/loaded-tables.js';

const world = await loadedTables();
const { services } = world;

const wordsIn = async (table: LoadedTable): Promise<unknown[]> =>
  (await storedRows(world, table)).map(({ word }) => word).sort();

async function sumsOf({ tableId }: LoadedTable) {
  const [row] = await world.query(
    `select rows::int, file_count, rejected_rows::int, bytes::int, schema_version, last_received_at,
       (select promoted_at is not null from tenant_connector_tap t where t.id = c.tap_id) as promoted
     from catalog_table c where id = $1`,
    [decodeId(tableId)],
  );
  return row;
}

const seize = ({ tableId }: LoadedTable) =>
  world.query('update catalog_table set writer = gen_random_uuid() where id = $1', [decodeId(tableId)]);

describe('a table', () => {
  it('is created once per tap, even concurrently', async () => {
    const { tenantId, tapId, tableId } = await world.aTable();
    const open = () =>
      runTenantTransaction(services.em, services.tables, tenantId, ({ em }) =>
        ensureTable(em, tenantId, tapId, WORD_SCHEMA),
      );
    const again = await Promise.all([open(), open(), open()]);
    expect(again.map(({ id }) => id)).toEqual([tableId, tableId, tableId]);
  });

  it('has the committed rows and their totals', async () => {
    const table = await world.aTable();
    await loadRows(services, table, [['a'], ['b']]);
    await loadRows(services, table, [['c']], { receivedAt: '2026-02-04T00:00:00.000Z' });
    expect(await wordsIn(table)).toEqual(['a', 'b', 'c']);
    const sums = { rows: 3, file_count: 2, rejected_rows: 0, promoted: true, schema_version: 1 };
    expect(await sumsOf(table)).toMatchObject({ ...sums, last_received_at: new Date('2026-02-04T00:00:00.000Z') });
    expect(await readdir(services.folder)).toEqual([]);
  });

  it('is promoted with its first file, even of rejected rows', async () => {
    const table = await world.aTable({ fields: [{ name: 'n', type: 'Integer' }] });
    expect(await sumsOf(table)).toMatchObject({ promoted: false });
    await loadRows(services, table, [['x']]);
    expect(await sumsOf(table)).toMatchObject({ rows: 0, file_count: 0, rejected_rows: 1, promoted: true });
    expect(await storedRows(world, table, 'rejects')).toMatchObject([
      { reason: 'column "n": "x" does not fit Integer (64 bits)', record: '{"n":"x"}' },
    ]);
  });

  it('gains columns, which older rows lack', async () => {
    const table = await world.aTable();
    await loadRows(services, table, [['a']]);
    const schema = { fields: [...WORD_SCHEMA.fields, { name: 'n', type: 'Integer' as const }] };
    await loadRows(services, table, [['b', '1']], { schema, schemaVersion: 2 });
    expect((await storedRows(world, table)).map(({ word, n }) => [word, n]).sort()).toEqual([
      ['a', null],
      ['b', '1'],
    ]);
    expect(await sumsOf(table)).toMatchObject({ schema_version: 2 });
  });
});

describe('a locked tap', () => {
  it('cannot be deleted, but deliveries to it do not wait', async () => {
    const { tenantId, tapId } = await world.aTable();
    const within = <Result>(work: (em: TableServices['em']) => Promise<Result>): Promise<Result> =>
      runTenantTransaction(services.em, services.tables, tenantId, async ({ em }) => {
        await em.execute(`set local lock_timeout = '250ms'`);
        return work(em);
      });
    const ids = [decodeId(tenantId), decodeId(tapId)];
    const deliver = `insert into ingest_delivery (id, tenant_id, tap_id, key, received_at, records, kept_until) values (gen_random_uuid(), ?, ?, gen_random_uuid(), now(), 1, now())`;
    await within(async (em) => {
      expect(await tryLockTap(em, tenantId, tapId)).toBe(true);
      await within((other) => other.execute(deliver, ids));
      const deletion = within((other) => tryLockTap(other, tenantId, tapId, 'for update'));
      await expect(deletion).rejects.toThrow('lock timeout');
    });
    await within((em) => em.execute('update tenant_connector_tap set deleted_at = now() where id = ?', [ids[1]]));
    expect(await within((em) => tryLockTap(em, tenantId, tapId))).toBe(false);
  });
});

describe('a file of a table', () => {
  it('has a row before the store has any bytes', async () => {
    const table = await world.aTable();
    const seen: unknown[] = [];
    const watched = withFileStore(services, {
      put: async (key, bytes) => {
        seen.push(Object.values(await statesOf(world, table)), await services.store.sizeOf(key));
        await services.store.put(key, bytes);
      },
    });
    await loadRows(watched, table, [['a']]);
    expect(seen).toEqual([['pending'], undefined]);
  });

  it('is not part of the table if the store fails, which throws', async () => {
    const table = await world.aTable();
    const full = withFileStore(services, {
      put: () => Promise.reject(new FileStoreError('ENOSPC', { cause: undefined })),
    });
    await expect(loadRows(full, table, [['a']])).rejects.toThrow(FileStoreError);
    expect(await sumsOf(table)).toMatchObject({ rows: 0, file_count: 0 });
    expect(Object.values(await statesOf(world, table))).toEqual(['replaced']);
    expect(await readdir(services.folder)).toEqual([]);
  });

  it('becomes part of the table once, and never after it is discarded', async () => {
    const table = await world.aTable();
    await withTableLease(services, table.tenantId, table.tableId, async (lease) => {
      const added = await writeFiles(services, table, [['a']]);
      await commitFiles(services, lease, { added });
      await expect(commitFiles(services, lease, { added })).rejects.toThrow(LeaseLost);
      const late = await writeFiles(services, table, [['b']]);
      await world.query(`update table_file set state = 'replaced' where id = $1`, [decodeId(late[0]?.id as string)]);
      await expect(commitFiles(services, lease, { added: late })).rejects.toThrow(LeaseLost);
    });
    expect(await wordsIn(table)).toEqual(['a']);
  });

  it('is replaced once', async () => {
    const table = await world.aTable();
    const replaced = (await loadRows(services, table, [['a']])).map(({ id }) => id);
    await withTableLease(services, table.tenantId, table.tableId, async (lease) => {
      await commitFiles(services, lease, { added: [], replaced });
      await expect(commitFiles(services, lease, { added: [], replaced })).rejects.toThrow(LeaseLost);
    });
    expect(await sumsOf(table)).toMatchObject({ rows: 0, file_count: 0, bytes: 0 });
  });
});

describe('the lease of a table', () => {
  it('has one holder at a time', async () => {
    const { tenantId, tableId } = await world.aTable();
    const again = () => withTableLease(services, tenantId, tableId, async () => 'written');
    expect(await withTableLease(services, tenantId, tableId, again)).toBe('taken');
    expect(await again()).toBe('written');
  });

  it('is not available for a missing table or in another workspace', async () => {
    const [one, other] = [await world.aTable(), await world.aTable()];
    expect(await withTableLease(services, one.tenantId, other.tableId, async () => 'written')).toBe('taken');
  });

  it('is released if the work fails', async () => {
    const { tenantId, tableId } = await world.aTable();
    const failing = withTableLease(services, tenantId, tableId, () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    expect(await withTableLease(services, tenantId, tableId, async () => 'written')).toBe('written');
  });

  it('is renewed while the work lasts', async () => {
    const { tenantId, tableId } = await world.aTable();
    const write = (work: Parameters<typeof withTableLease<unknown>>[3], life?: number) =>
      withTableLease(services, tenantId, tableId, work, life);
    const longer = async ({ signal }: TableLease) => {
      await sleep(3_000);
      return [await write(async () => 'written'), signal.aborted];
    };
    expect(await write(longer, 2)).toEqual(['taken', false]);
  });

  it('aborts its signal when another holder takes over', async () => {
    const table = await world.aTable();
    const untilLost = async ({ signal }: TableLease) => {
      await seize(table);
      await once(signal, 'abort');
      return signal.reason;
    };
    const reason = await withTableLease(services, table.tenantId, table.tableId, untilLost, 0.6);
    expect(reason).toBeInstanceOf(LeaseLost);
  });

  it('prevents commits once another holder takes over', async () => {
    const table = await world.aTable();
    const late = withTableLease(services, table.tenantId, table.tableId, async (lease) => {
      const added = await writeFiles(services, table, [['late']]);
      await seize(table);
      await commitFiles(services, lease, { added });
    });
    await expect(late).rejects.toThrow(LeaseLost);
    expect(await wordsIn(table)).toEqual([]);
    const [row] = await world.query('select writer from catalog_table where id = $1', [decodeId(table.tableId)]);
    expect(row?.writer).not.toBeNull();
  });

  it('expires after a minute without renewal', async () => {
    const table = await world.aTable();
    await seize(table);
    const write = () => withTableLease(services, table.tenantId, table.tableId, async () => 'written');
    await world.query(`update catalog_table set writer_until = now() + interval '1 s' where id = $1`, [
      decodeId(table.tableId),
    ]);
    expect(await write()).toBe('taken');
    await world.query(`update catalog_table set writer_until = now() - interval '1 ms' where id = $1`, [
      decodeId(table.tableId),
    ]);
    expect(await write()).toBe('written');
  });
});
