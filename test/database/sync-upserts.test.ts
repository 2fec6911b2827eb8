import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { TapSync } from '../../src/catalog/model/tap-sync.js';
import { decodeId } from '../../src/kernel/ids.js';
import { updateTenantConnectorTap } from '../../src/tables/taps/update-tenant-connector-tap.js';
import type { UpdateTenantConnectorTapArgs } from '../../src/tables/tenant-connector-tap.inputs.js';
import { systemCaller, writeAsCaller } from '../../src/tenancy/workspace-transaction.js';
import { aPage, syncedTaps } from '../support/syncs/synced-taps.js';
import { pendingBatches } from '../support/tables/pending-batches.js';

const syncs = await syncedTaps();
const { world } = syncs;
const { accept, flush } = pendingBatches(world);

interface Version {
  readonly id: number;
  readonly updated?: number;
  readonly name?: string;
  readonly gone?: boolean;
}

const SNAPSHOT = { dataKind: 'snapshot', deletionMarker: 'gone' } as const;

/** A tap whose table holds each record once. `pull` runs a sync that reads the pages. */
async function aTap(sync: TapSync = { mode: 'incremental', cursorField: 'updated' }) {
  const connection = await syncs.createConnection({ users: { sync, ...SNAPSHOT } });
  const { tenantId, taps } = connection;
  const table = { tenantId, tapId: taps.users as string, tableId: '', schema: { fields: [] } };
  return {
    connection,
    async pull(...pages: readonly (readonly Version[])[]): Promise<void> {
      connection.vendor.users = async function* () {
        for (const [at, records] of pages.entries())
          yield aPage(records, at + 1 < pages.length ? { offset: at + 1 } : undefined);
      };
      await syncs.start(connection);
      await syncs.runSteps(connection);
    },
    async push(...records: readonly Version[]): Promise<void> {
      await accept(
        table,
        records.map((record) => JSON.stringify(record)),
      );
      await flush(table);
    },
    change(change: Partial<UpdateTenantConnectorTapArgs>): Promise<void> {
      const { em, tables } = world.services;
      return writeAsCaller(em, tables, systemCaller(tenantId), randomUUID(), (tx) =>
        updateTenantConnectorTap(tx, { id: table.tapId, ...change }),
      );
    },
    async names(): Promise<unknown[]> {
      return (await syncs.rowsOf(connection, 'users')).map(
        ({ id, name, _record_deleted }) => `${id} ${name}${_record_deleted ? ' deleted' : ''}`,
      );
    },
    async liveFiles(): Promise<unknown[]> {
      const sql = `select f.kind, f.rows::int from table_file f join catalog_table t on t.id = f.table_id
        where t.tap_id = $1 and f.state = 'live' order by f.created_at`;
      return (await world.query(sql, [decodeId(table.tapId)])).map(({ kind, rows }) => `${kind} ${rows}`);
    },
    async totals(): Promise<unknown> {
      const sql = 'select rows::int, file_count, rejected_rows::int from catalog_table where tap_id = $1';
      return (await world.query(sql, [decodeId(table.tapId)]))[0];
    },
  };
}

describe('the table of an incremental tap with a primary key', () => {
  it('holds the newest version of each record, and the run says upsert', async () => {
    const tap = await aTap();
    await tap.pull([
      { id: 1, updated: 1_000, name: 'a' },
      { id: 2, updated: 1_000, name: 'b' },
    ]);
    await tap.pull([
      { id: 2, updated: 3_000, name: 'B' },
      { id: 3, updated: 2_000, name: 'c' },
    ]);
    await tap.pull([{ id: 3, updated: 1_500, name: 'older' }]);
    expect(await tap.names()).toEqual(['1 a', '2 B', '3 c']);
    expect(await tap.totals()).toEqual({ rows: 3, file_count: 2, rejected_rows: 0 });
    expect((await syncs.run(tap.connection, 'users')).mode).toBe('upsert');
  });

  it('keeps files without a changed record', async () => {
    const tap = await aTap();
    await tap.pull([{ id: 1, updated: 1_000, name: 'a' }]);
    await tap.pull([{ id: 2, updated: 1_000, name: 'b' }]);
    const [first] = await world.query(
      `select id from table_file where state = 'live' order by created_at desc limit 2`,
    );
    await tap.pull([
      { id: 3, updated: 1_000, name: 'c' },
      { id: 2, updated: 2_000, name: 'B' },
    ]);
    expect(await tap.names()).toEqual(['1 a', '2 B', '3 c']);
    expect(await tap.liveFiles()).toEqual(['data 1', 'data 2']);
    const [replaced] = await world.query('select state from table_file where id = $1', [first?.id]);
    expect(replaced?.state).toBe('replaced');
  });

  it('merges records with new columns that a later page of the same step adds', async () => {
    const tap = await aTap();
    await tap.pull([
      { id: 1, updated: 1_000 },
      { id: 2, updated: 1_000 },
    ]);
    await tap.pull([{ id: 1, updated: 2_000 }], [{ id: 1, updated: 3_000, name: 'new column' }]);
    expect(await tap.names()).toEqual(['1 new column', '2 null']);
  });

  it('loses the row of a deleted record, which an older version does not bring back', async () => {
    const tap = await aTap();
    await tap.pull([
      { id: 1, updated: 1_000, name: 'a' },
      { id: 2, updated: 1_000, name: 'b' },
    ]);
    await tap.pull([{ id: 1, updated: 3_000, gone: true }]);
    expect(await tap.names()).toEqual(['2 b']);
    await tap.pull([{ id: 1, updated: 2_000, name: 'late' }]);
    expect(await tap.names()).toEqual(['2 b']);
    expect(await tap.liveFiles()).toEqual(['data 1', 'deletes 1']);
    await tap.pull([{ id: 1, updated: 4_000, name: 'created again' }]);
    expect(await tap.names()).toEqual(['1 created again', '2 b']);
  });

  it('appends records without a key', async () => {
    const tap = await aTap();
    const keyless = { record: { name: 'x' }, key: undefined, cursor: 1_000 };
    tap.connection.vendor.users = async function* () {
      yield { ...aPage([]), records: [keyless, keyless] };
    };
    await syncs.start(tap.connection);
    await syncs.runSteps(tap.connection);
    expect(await tap.names()).toEqual(['null x', 'null x']);
  });
});

describe('the table of a pushed tap with a primary key', () => {
  it('holds the newest version of each record by its cursor field, in any order of arrival', async () => {
    const tap = await aTap({ mode: 'push', cursorField: 'updated' });
    await tap.push({ id: 1, updated: 2_000, name: 'new' }, { id: 2, updated: 1_000, name: 'b' });
    await tap.push({ id: 1, updated: 1_000, name: 'late' }, { id: 2, updated: 2_000, gone: true });
    await tap.push({ id: 2, updated: 1_500, name: 'late too' });
    expect(await tap.names()).toEqual(['1 new']);
  });

  it('takes the time of arrival as the version without a cursor field', async () => {
    const tap = await aTap({ mode: 'push' });
    await tap.push({ id: 1, name: 'first' }, { id: 1, name: 'second' });
    expect(await tap.names()).toEqual(['1 second']);
    await tap.push({ id: 1, name: 'third' });
    expect(await tap.names()).toEqual(['1 third']);
  });

  it('rejects a deletion without a key', async () => {
    const tap = await aTap({ mode: 'push' });
    await tap.push({ id: 1 }, { gone: true } as never);
    expect(await tap.totals()).toEqual({ rows: 1, file_count: 1, rejected_rows: 1 });
  });
});

describe('the mode of a tap', () => {
  const A: Version = { id: 1, updated: 1_000, name: 'a' };
  const NEWER: Version = { id: 1, updated: 2_000, name: 'newer' };

  it('append keeps each version of a record as a row', async () => {
    const tap = await aTap();
    await tap.change({ mode: 'append' });
    await tap.pull([A]);
    await tap.pull([NEWER]);
    expect((await tap.names()).sort()).toEqual(['1 a', '1 newer']);
    await expect(tap.change({ mode: null })).rejects.toThrow('stored without their primary key');
  });

  it('upsert of a tap that is read in full keeps records that a read no longer contains', async () => {
    const tap = await aTap({ mode: 'full' });
    await tap.pull([A, { id: 2, updated: 1_000, name: 'old' }]);
    await tap.change({ mode: 'upsert' });
    await tap.pull([A, { id: 3, updated: 1_000, name: 'c' }]);
    expect([(await syncs.run(tap.connection, 'users')).mode, await tap.names()]).toEqual(['replace', ['1 a', '3 c']]);
    await tap.pull([NEWER]);
    expect([(await syncs.run(tap.connection, 'users')).mode, await tap.names()]).toEqual([
      'upsert',
      ['1 newer', '3 c'],
    ]);
    await tap.change({ mode: null });
    await tap.pull([A]);
    expect(await tap.names()).toEqual(['1 a']);
  });

  it('with deletedRows mark, deleted rows stay with their values and a mark', async () => {
    const tap = await aTap();
    await tap.change({ deletedRows: 'mark' });
    await tap.pull([A, { id: 2, updated: 1_000, name: 'b' }]);
    await tap.pull([{ id: 1, updated: 3_000, gone: true }]);
    await tap.pull([NEWER]);
    expect(await tap.names()).toEqual(['1 a deleted', '2 b']);
    expect(await tap.liveFiles()).toEqual(['data 2']);
  });

  it('changes with the next run, not for an open run', async () => {
    const tap = await aTap();
    tap.connection.vendor.users = async function* () {
      yield aPage([A]);
    };
    await syncs.start(tap.connection);
    await tap.change({ mode: 'append' });
    await syncs.runSteps(tap.connection);
    await tap.change({ mode: null });
    await tap.pull([NEWER]);
    expect(await tap.names()).toEqual(['1 newer']);
  });

  it('must be possible with the definition', async () => {
    const tap = await aTap();
    await expect(tap.change({ mode: 'replace' })).rejects.toMatchObject({ code: 'CONFLICT' });
    await world.query(
      `update connector_tap set response_extraction = '{}' where id = (select tap_id from tenant_connector_tap where id = $1)`,
      [decodeId(tap.connection.taps.users as string)],
    );
    await expect(tap.change({ mode: 'upsert' })).rejects.toThrow('requires a primary key');
  });
});
