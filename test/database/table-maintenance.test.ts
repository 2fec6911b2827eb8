import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { LeaseLost } from '../../src/kernel/concurrency/lease.js';

import { decodeId } from '../../src/kernel/ids.js';
import { applyRetention } from '../../src/tables/files/apply-retention.js';
import { cleanUpTable } from '../../src/tables/files/clean-up-table.js';
import { compactTable } from '../../src/tables/files/compact-table.js';
import { withTableLease } from '../../src/tables/files/table-lease.js';
import { withRecordColumns } from '../../src/tables/table-schema.js';
import type { WrittenFile } from '../../src/tables/written-file.js';
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

const MANY = 16;
const GOES_ON = new AbortController().signal;

const world = await loadedTables();
const { services } = world;

const count = async (table: LoadedTable): Promise<Record<string, number>> => {
  const states = Object.values(await statesOf(world, table));
  return Object.fromEntries(['pending', 'live', 'replaced'].map((of) => [of, states.filter((s) => s === of).length]));
};

/** `due` is in seconds. */
const waiting = ({ tableId }: LoadedTable) =>
  world.query(
    `select name, round(extract(epoch from start_after - now()))::int as due from taproot_jobs.job
     where data ->> 'tableId' = $1 and state = 'created' order by name`,
    [tableId],
  );

const letTimePass = ({ tableId }: LoadedTable) =>
  world.query(`update table_file set kept_until = now() - interval '1 s' where table_id = $1`, [decodeId(tableId)]);

async function loadMany(table: LoadedTable, files: number, receivedAt?: string): Promise<void> {
  const options = receivedAt ? { receivedAt } : {};
  await withTableLease(services, table.tenantId, table.tableId, async (lease) => {
    const added: WrittenFile[] = [];
    for (let nth = 0; nth < files; nth++)
      added.push(...(await writeFiles(services, table, [[`${receivedAt} ${nth}`], [null]], options)));
    await commitFiles(services, lease, { added });
  });
}

describe('compaction', () => {
  it('merges many small files into one file with exactly the same rows', async () => {
    const table = await world.aTable();
    await loadMany(table, MANY - 1);
    const schema = { fields: [...WORD_SCHEMA.fields, { name: 'n', type: 'Decimal' as const, scale: 2 }] };
    await loadRows(
      services,
      table,
      [
        ['\0\n\u2028"', '-0.10'],
        ['', null],
      ],
      { schema, schemaVersion: 2 },
    );
    const before = await storedRows(world, table);
    await compactTable(services, table, GOES_ON);
    expect(await storedRows(world, table)).toEqual(before);
    expect(before).toHaveLength(2 * MANY);
    expect(await count(table)).toEqual({ pending: 0, live: 1, replaced: MANY });
    const [sums] = await world.query('select rows::int, file_count from catalog_table where id = $1', [
      decodeId(table.tableId),
    ]);
    expect(sums).toEqual({ rows: 2 * MANY, file_count: 1 });
  });

  it('is scheduled by the commit that makes too many small files', async () => {
    const table = await world.aTable();
    await loadMany(table, MANY - 1);
    expect((await waiting(table)).map(({ name }) => name)).toEqual(['table-cleanup']);
    await loadMany(table, 1);
    expect(await waiting(table)).toMatchObject([{ name: 'table-cleanup' }, { name: 'table-compaction', due: 0 }]);
  });

  it('merges rejected rows separately', async () => {
    const table = await world.aTable({ fields: [{ name: 'n', type: 'Integer' }] });
    for (let nth = 0; nth < MANY; nth++) await loadRows(services, table, [[`${nth}`], ['x']]);
    const before = [await storedRows(world, table), await storedRows(world, table, 'rejects')];
    await compactTable(services, table, GOES_ON);
    expect([await storedRows(world, table), await storedRows(world, table, 'rejects')]).toEqual(before);
    expect(await count(table)).toMatchObject({ live: 2 });
  });

  it('keeps days separate if the tap has a retention period', async () => {
    const table = await world.aTable(WORD_SCHEMA, { retentionDays: 30 });
    await loadMany(table, MANY, '2026-02-03T23:59:59.999Z');
    await loadMany(table, MANY, '2026-02-04T00:00:00.000Z');
    await loadMany(table, 1, '2026-02-05T00:00:00.000Z');
    await compactTable(services, table, GOES_ON);
    const files = await world.query(
      `select rows::int from table_file where table_id = $1 and state = 'live' order by last_received_at`,
      [decodeId(table.tableId)],
    );
    expect(files.map(({ rows }) => rows)).toEqual([2 * MANY, 2 * MANY, 2]);
  });

  it('keeps files with primary keys separate from files without them', async () => {
    const table = await world.aTable();
    const keyed = { schema: withRecordColumns(WORD_SCHEMA) };
    const load = async (files: number): Promise<void> => {
      for (let nth = 0; nth < files; nth++) {
        await loadRows(services, table, [['appended']]);
        const added = await withTableLease(services, table.tenantId, table.tableId, async (lease) =>
          commitFiles(services, lease, {
            added: await writeFiles(services, table, [['w', `k${nth}`, null, null]], keyed),
          }),
        );
        expect(added).not.toBe('taken');
      }
    };
    await load(MANY - 1);
    expect((await waiting(table)).map(({ name }) => name)).toEqual(['table-cleanup']);
    await load(1);
    await compactTable(services, table, GOES_ON);
    const files = await world.query(
      `select rows::int, first_key as key from table_file where table_id = $1 and state = 'live' order by first_key`,
      [decodeId(table.tableId)],
    );
    expect(files).toEqual([
      { rows: MANY, key: 'k0' },
      { rows: MANY, key: null },
    ]);
  });

  it('has the same result with concurrent runs and incoming rows', async () => {
    const table = await world.aTable();
    await loadMany(table, MANY);
    const compact = () => compactTable(services, table, GOES_ON);
    const loading = async () => {
      for (let nth = 0; nth < 5; nth++)
        while ((await loadRows(services, table, [['more']]).catch(() => 'taken')) === 'taken');
    };
    await Promise.all([compact(), compact(), loading()]);
    const rows = await storedRows(world, table);
    expect(rows).toHaveLength(2 * MANY + 5);
    expect(new Set(rows.map(({ _batch }) => _batch)).size).toBe(2 * MANY + 5);
  });

  it('changes nothing if another writer takes over', async () => {
    const table = await world.aTable();
    await loadMany(table, MANY);
    const before = await storedRows(world, table);
    const seized = withFileStore(services, {
      put: async (key, bytes) => {
        await world.query('update catalog_table set writer = gen_random_uuid()');
        await services.store.put(key, bytes);
      },
    });
    await expect(compactTable(seized, table, GOES_ON)).rejects.toThrow(LeaseLost);
    await world.query('update catalog_table set writer = null');
    expect(await storedRows(world, table)).toEqual(before);
    expect(await readdir(services.folder)).toEqual([]);
  });

  it('skips files with long rows and merges other files', async () => {
    const table = await world.aTable({ fields: [...WORD_SCHEMA.fields, { name: 'n', type: 'Integer' }] });
    const long = Buffer.alloc(100_000, 'long').toString();
    for (let nth = 0; nth < MANY; nth++)
      await loadRows(services, table, [
        [long, '1'],
        ['x', 'no number'],
      ]);
    await compactTable(services, table, GOES_ON);
    expect(await count(table)).toMatchObject({ live: MANY + 1, replaced: MANY });
    expect(await storedRows(world, table, 'rejects')).toHaveLength(MANY);
  });

  it('stops soon when aborted', async () => {
    const table = await world.aTable();
    await loadMany(table, MANY);
    const stopping = new AbortController();
    let copies = 0;
    const stopped = withFileStore(services, {
      copyTo: async (key, path) => {
        if (++copies === 2) stopping.abort(new Error('stop'));
        await services.store.copyTo(key, path);
      },
    });
    await expect(compactTable(stopped, table, stopping.signal)).rejects.toThrow('stop');
    expect(copies).toBe(2);
    expect(await count(table)).toEqual({ pending: 0, live: MANY, replaced: 0 });
  });

  it('ignores the table of a deleted tap', async () => {
    const table = await world.aTable();
    await loadMany(table, MANY);
    await world.query('update tenant_connector_tap set deleted_at = now() where id = $1', [decodeId(table.tapId)]);
    await compactTable(services, table, GOES_ON);
    expect(await count(table)).toMatchObject({ live: MANY });
  });
});

describe('cleanup', () => {
  it('removes replaced files after an hour, first the stored bytes and then the row', async () => {
    const table = await world.aTable();
    await loadMany(table, MANY);
    await compactTable(services, table, GOES_ON);
    const [cleanup] = await waiting(table);
    expect(cleanup?.due).toBeGreaterThan(3_500);
    expect(cleanup?.due).toBeLessThan(3_700);
    await cleanUpTable(services, table, GOES_ON);
    expect(await count(table)).toMatchObject({ replaced: MANY });

    await letTimePass(table);
    const failing = withFileStore(services, { delete: () => Promise.reject(new Error('away')) });
    await expect(cleanUpTable(failing, table, GOES_ON)).rejects.toThrow('away');
    expect(await count(table)).toMatchObject({ replaced: MANY });
    await cleanUpTable(services, table, GOES_ON);
    expect(await count(table)).toEqual({ pending: 0, live: 1, replaced: 0 });
    expect((await world.filesInStore()).filter(isOf(table))).toHaveLength(1);
    expect(await storedRows(world, table)).toHaveLength(2 * MANY);
  });

  it('discards files that never became part of a table, and prevents their commit', async () => {
    const table = await world.aTable();
    const added = await writeFiles(services, table, [['lost']]);
    await cleanUpTable(services, table, GOES_ON);
    expect(await count(table)).toMatchObject({ pending: 1 });

    await letTimePass(table);
    await cleanUpTable(services, table, GOES_ON);
    expect(await count(table)).toMatchObject({ pending: 0, replaced: 1 });
    const late = withTableLease(services, table.tenantId, table.tableId, (lease) =>
      commitFiles(services, lease, { added }),
    );
    await expect(late).rejects.toThrow(LeaseLost);
    expect((await world.filesInStore()).filter(isOf(table))).toHaveLength(1);

    await letTimePass(table);
    await cleanUpTable(services, table, GOES_ON);
    expect(await statesOf(world, table)).toEqual({});
    expect((await world.filesInStore()).filter(isOf(table))).toEqual([]);
  });

  it('removes files of lost processes from the working folder after a day', async () => {
    const folder = join(world.folder, 'swept');
    await mkdir(join(folder, 'old', 'within'), { recursive: true });
    await mkdir(join(folder, 'new'));
    await writeFile(join(folder, 'old.tmp'), '');
    const yesterday = new Date(Date.now() - 86_401_000);
    for (const name of ['old', 'old.tmp']) await utimes(join(folder, name), yesterday, yesterday);
    await cleanUpTable({ ...services, folder }, await world.aTable(), GOES_ON);
    expect(await readdir(folder)).toEqual(['new']);
  });
});

describe('retention', () => {
  const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

  it('removes files whose rows are all expired, and runs again a day later', async () => {
    const table = await world.aTable(WORD_SCHEMA, { retentionDays: 7 });
    await loadRows(services, table, [['old']], { receivedAt: daysAgo(7.1) });
    await loadRows(services, table, [['young']], { receivedAt: daysAgo(6.9) });
    await applyRetention(services, table, GOES_ON);
    expect((await storedRows(world, table)).map(({ word }) => word)).toEqual(['young']);
    expect(await count(table)).toEqual({ pending: 0, live: 1, replaced: 1 });
    const next = (await waiting(table)).at(-1);
    expect([next?.name, Math.round(next?.due / 3_600)]).toEqual(['table-retention', 24]);
  });

  it('ends if the tap is deleted, and is not scheduled without a retention period', async () => {
    const [deleted, unlimited] = [await world.aTable(WORD_SCHEMA, { retentionDays: 7 }), await world.aTable()];
    await world.query('update tenant_connector_tap set deleted_at = now() where id = $1', [decodeId(deleted.tapId)]);
    for (const table of [deleted, unlimited]) {
      await loadRows(services, table, [['old']], { receivedAt: daysAgo(1_000) });
      await applyRetention(services, table, GOES_ON);
      expect(await count(table)).toMatchObject({ live: 1 });
      expect((await waiting(table)).map(({ name }) => name)).toEqual(['table-cleanup']);
    }
  });
});

const isOf =
  ({ tableId }: LoadedTable) =>
  (path: string): boolean =>
    path.includes(decodeId(tableId) as string);
