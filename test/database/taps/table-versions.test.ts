import { describe, expect, it } from 'vitest';
import { decodeId, encodeId } from '../../../src/kernel/ids.js';
import type { Lean } from '../../../src/kernel/reading/reader.js';
import { runTenantTransaction } from '../../../src/kernel/reading/tenant-transaction.js';
import { CatalogTable } from '../../../src/tables/catalog-table.js';
import { cleanUpTable } from '../../../src/tables/files/clean-up-table.js';
import type { VersionQuery } from '../../../src/tables/queries/find-version.js';
import { readTableRows, type TableRow } from '../../../src/tables/queries/read-table-rows.js';
import { mergedTaps, type Version } from '../../support/syncs/merged-taps.js';

const { syncs, aTap } = await mergedTaps();
const { world } = syncs;
const { services } = world;

async function aChangingTap() {
  const tap = await aTap();
  const { tenantId, taps } = tap.connection;
  const tapId = decodeId(taps.users as string);
  const tableOf = async (): Promise<string> =>
    encodeId((await world.query('select id from catalog_table where tap_id = $1', [tapId]))[0]?.id) as string;
  const versions = async () =>
    world.query(
      `select v.* from table_version v join catalog_table t on t.id = v.table_id where t.tap_id = $1 order by number`,
      [tapId],
    );
  return {
    ...tap,
    versions,
    async rows(query: VersionQuery = {}): Promise<TableRow[]> {
      const id = await tableOf();
      return runTenantTransaction(services.em, services.tables, tenantId, async ({ read }) => {
        const table = (await read.byId(CatalogTable, id)) as Lean<CatalogTable>;
        return readTableRows(services, read, table, { kind: 'data', limit: 100, offset: 0, ...query });
      });
    },
    async namesIn(query?: VersionQuery): Promise<unknown[]> {
      return (await this.rows(query)).map(({ id, name }) => `${id} ${name}`).sort();
    },
    /** Lets the replaced versions expire, and runs the cleanup job. */
    async expireVersions(): Promise<void> {
      await world.query(`update table_version set readable_until = now() where readable_until is not null`);
      await world.query(`update table_file set kept_until = now() where state = 'replaced'`);
      await cleanUpTable(services, { tenantId, tableId: await tableOf() }, new AbortController().signal);
    },
  };
}

const A: Version = { id: 1, updated: 1_000, name: 'a' };
const B: Version = { id: 2, updated: 1_000, name: 'b' };

describe('the versions of a table', () => {
  it('can be read by number and by time, each with the rows and columns that it had', async () => {
    const tap = await aChangingTap();
    await tap.pull([
      { id: 1, updated: 500 },
      { id: 2, updated: 500 },
    ]);
    await tap.pull([A]);
    await tap.pull([{ ...A, updated: 3_000, name: 'A' }]);
    const versions = await tap.versions();
    expect(versions.map(({ number, cause, rows }) => [number, cause, Number(rows)])).toEqual([
      [1, 'sync', 2],
      [2, 'sync', 2],
      [3, 'sync', 2],
    ]);
    expect(await tap.namesIn({ version: 1 })).toEqual(['1 undefined', '2 undefined']);
    expect(Object.keys((await tap.rows({ version: 1 }))[0] as TableRow)).not.toContain('name');
    expect(await tap.namesIn({ version: 2 })).toEqual(['1 a', '2 null']);
    expect(await tap.namesIn({ version: 3 })).toEqual(await tap.namesIn());
    const atSecond = new Date(Number(versions[2]?.created_at) - 1);
    expect(await tap.namesIn({ asOf: atSecond })).toEqual(['1 a', '2 null']);
    expect(await tap.namesIn({ asOf: new Date() })).toEqual(['1 A', '2 null']);
    await expect(tap.rows({ version: 4 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('no such version'),
    });
    await expect(tap.rows({ asOf: new Date(0) })).rejects.toThrow('had no version at this time');
    await expect(tap.rows({ version: 1, asOf: atSecond })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('are readable until the same time as their files', async () => {
    const tap = await aChangingTap();
    await tap.pull([A]);
    await tap.pull([{ ...A, updated: 3_000 }]);
    const [{ table_id, readable_until } = {} as never] = await tap.versions();
    const files = await world.query(
      `select from table_version v join table_file f using (table_id) where v.table_id = $1 and f.kept_until = v.readable_until`,
      [table_id],
    );
    expect([readable_until, files.length]).toEqual([expect.any(Date), 1]);
  });

  it('name the run or the batch that caused them, and the columns that they add', async () => {
    const tap = await aChangingTap();
    await tap.pull([{ id: 1, updated: 500 }]);
    const { id: run } = await syncs.run(tap.connection, 'users');
    await tap.push({ id: 2, updated: 1 }, { id: 3, updated: 1, name: 'new' });
    const [first, second] = await tap.versions();
    expect(first).toMatchObject({ cause: 'sync', tap_run_id: run, batch: null, schema_version: 1 });
    expect(first?.added_columns).toEqual([
      { name: 'id', type: 'Integer' },
      { name: 'updated', type: 'Integer' },
    ]);
    const [row] = (await syncs.rowsOf(tap.connection, 'users')).filter(({ id }) => Number(id) === 3);
    expect(second).toMatchObject({ cause: 'push', tap_run_id: null, batch: String(row?._batch), schema_version: 2 });
    expect([second?.added_columns, second?.changed_types]).toEqual([[{ name: 'name', type: 'String' }], []]);
  });

  it('are removed with their files after their time, except the history of the columns', async () => {
    const tap = await aChangingTap();
    await tap.pull([{ id: 1, updated: 500 }]);
    await tap.pull([A, B]);
    await tap.pull([{ ...A, updated: 3_000, name: 'A' }]);
    await tap.pull([{ ...A, updated: 4_000, name: 'AA' }]);
    const third = (await tap.versions())[2]?.created_at;
    await tap.expireVersions();
    expect((await tap.versions()).map(({ number, added_columns }) => [number, added_columns !== null])).toEqual([
      [1, true],
      [2, true],
      [4, false],
    ]);
    for (const query of [{ version: 2 }, { version: 3 }, { asOf: third }])
      await expect(tap.rows(query)).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: expect.stringContaining('has removed the version'),
      });
    await expect(tap.rows({ asOf: new Date(0) })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('had no version at this time'),
    });
    expect(await tap.namesIn()).toEqual(['1 AA', '2 b']);
    expect(await tap.namesIn({ version: 4 })).toEqual(['1 AA', '2 b']);
  });

  it('are not created by commits that change neither rows nor columns', async () => {
    const tap = await aChangingTap();
    await tap.pull([A]);
    const before = (await tap.versions()).length;
    await tap.pull([]);
    expect(await tap.versions()).toHaveLength(before);
  });
});
