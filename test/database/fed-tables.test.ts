import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { TapFeed } from '../../src/catalog/model/tap-feed.js';
import { decideHeldRecords } from '../../src/ingest/held/decide-held-records.js';
import { updateTenantConnectorTap } from '../../src/tables/taps/update-tenant-connector-tap.js';
import { systemCaller, writeAsCaller } from '../../src/tenancy/workspace-transaction.js';
import { mergedTaps } from '../support/syncs/merged-taps.js';
import { aPage, type FakeTapDefinition, waitError } from '../support/syncs/synced-taps.js';

const { syncs, accept, flush } = await mergedTaps();

const SECOND = 1_700_000_000;
const USERS: FakeTapDefinition = {
  ...{
    sync: { mode: 'incremental', cursorField: 'updated', cursorValueFormat: 'epoch_seconds' },
    dataKind: 'snapshot',
  },
};
const EVENTS: FakeTapDefinition = {
  sync: { mode: 'push', cursorField: 'created' },
  ...{ feeds: { tap: 'users', recordPath: 'data.object' }, deletionMarker: 'gone' },
};

async function aFeed(other: FakeTapDefinition, users = USERS) {
  const connection = await syncs.createConnection({ users, other });
  const { tenantId, taps } = connection;
  const { em, tables } = syncs.world.services;
  const read = async (name: string, records: readonly object[]): Promise<void> => {
    connection.vendor[name] = async function* () {
      const page = aPage(records as { id: number }[]);
      const cursors = page.records.map((record) => ({ ...record, cursor: record.cursor && record.cursor * 1_000 }));
      yield { ...page, records: cursors };
    };
    await syncs.start(connection, { tapIds: [taps[name] as string] });
    await syncs.runSteps(connection);
  };
  return {
    connection,
    read,
    async push(...events: readonly object[]): Promise<void> {
      const table = { tenantId, tapId: taps.other as string, tableId: '', schema: { fields: [] } };
      await accept(
        table,
        events.map((event) => JSON.stringify(event)),
      );
      await flush(table);
    },
    set: (feedsTapId: string | null | undefined, name = 'other') =>
      writeAsCaller(em, tables, systemCaller(tenantId), randomUUID(), (tx) =>
        updateTenantConnectorTap(tx, { id: taps[name] as string, ...(feedsTapId !== undefined && { feedsTapId }) }),
      ),
    names: async (name = 'users') => (await syncs.rowsOf(connection, name)).map((row) => `${row.id} ${row.name}`),
  };
}

const event = (created: number, object: object, more: object = {}) => ({
  created: SECOND + created,
  data: { object },
  ...more,
});
const user = (id: number, updated: number | undefined, name: string) => ({
  id,
  name,
  ...(updated && { updated: SECOND + updated }),
});

describe('a table that is fed by two taps', () => {
  it('holds the newest version of pulled records and of records in late pushed events', async () => {
    const { read, push, names } = await aFeed(EVENTS);
    await read('users', [user(1, 10, 'pulled'), user(2, 10, 'pulled')]);
    await push(event(20, user(1, 5, 'late')), event(20, user(2, 15, 'pushed')));
    expect(await names()).toEqual(['1 pulled', '2 pushed']);
    await read('users', [user(2, 12, 'pulled again')]);
    expect(await names()).toEqual(['1 pulled', '2 pushed']);
  });

  it('holds the records of events, and loads them with the version of the event', async () => {
    const { connection, read, push, names } = await aFeed(EVENTS);
    const { em, tables } = syncs.world.services;
    const write = <Result>(work: Parameters<typeof writeAsCaller<Result>>[4]): Promise<Result> =>
      writeAsCaller(em, tables, systemCaller(connection.tenantId), randomUUID(), work);
    const id = connection.taps.users as string;
    await write((tx) => updateTenantConnectorTap(tx, { id, driftPolicy: 'ask' }));
    await read('users', [{ id: 1, updated: SECOND }]);
    await push(event(20, user(1, 5, 'event')), event(20, user(2, 5, 'late')));
    await read('users', [{ id: 2, updated: SECOND + 10 }]);
    await decideHeldRecords({ write, tableServices: syncs.world.services }, id, 'accept');
    expect((await names()).sort()).toEqual(['1 event', '2 null']);
  });

  it('takes the time of the event, or of the response, as the version of a record without a cursor', async () => {
    const { connection, push, names } = await aFeed(EVENTS, { ...USERS, sync: { mode: 'full', tableMode: 'upsert' } });
    const pull = async (seconds: number, name: string): Promise<void> => {
      connection.vendor.users = async function* () {
        yield { ...aPage([{ id: 1, name } as never]), respondedAt: new Date((SECOND + seconds) * 1_000) };
      };
      await syncs.start(connection, { tapIds: [connection.taps.users as string] });
      await syncs.runSteps(connection);
    };
    await pull(10, 'pulled');
    await push(event(5, { id: 1, name: 'late' }));
    expect(await names()).toEqual(['1 pulled']);
    await push(event(15, { id: 1, name: 'pushed' }));
    expect(await names()).toEqual(['1 pushed']);
    await pull(12, 'pulled before the event');
    expect(await names()).toEqual(['1 pushed']);
  });

  it('loses the records of deletion events, and rejects events without a record', async () => {
    const { read, push, names, connection } = await aFeed(EVENTS);
    await read('users', [user(1, 10, 'a'), user(2, 10, 'b')]);
    await push(event(20, { id: 1 }, { gone: true }), { created: SECOND + 20, data: {} });
    await read('users', [user(1, 15, 'late')]);
    expect(await names()).toEqual(['2 b']);
    const rejects = await syncs.world.query(
      `select f.rows::int from table_file f join catalog_table t on t.id = f.table_id join tenant_connector_tap p on p.id = t.tap_id
       where f.kind = 'rejects' and p.name = 'users' and p.tenant_id = (select tenant_id from tap_run where created_at = (select max(created_at) from tap_run))`,
    );
    expect([rejects, (await syncs.run(connection, 'users')).mode]).toEqual([[{ rows: 1 }], 'upsert']);
  });

  it('loses the records that a pulled tap lists as deleted since its last run', async () => {
    const feeds: TapFeed = { tap: 'users', deletions: true, keyField: 'deleted_id' };
    const { read, names } = await aFeed({ ...USERS, feeds, dataKind: 'event' });
    await read('users', [user(1, 10, 'a'), user(2, 10, 'b'), user(3, 30, 'recreated')]);
    await read(
      'other',
      [1, 3].map((id) => ({ deleted_id: id, updated: SECOND + 20 })),
    );
    expect(await names()).toEqual(['2 b', '3 recreated']);
    await read('users', [user(1, 15, 'late')]);
    expect(await names()).toEqual(['2 b', '3 recreated']);
  });

  it('merges the waiting rows of a cancelled sync soon', async () => {
    const feeds: TapFeed = { tap: 'users', deletions: true, keyField: 'deleted_id' };
    const { connection, read } = await aFeed({ ...USERS, feeds, dataKind: 'event' });
    await read('users', [user(1, 10, 'a')]);
    await syncs.world.query(`update table_file set bytes = 10000000000 where state = 'live'`);
    connection.vendor.other = async function* () {
      yield aPage([{ deleted_id: 1, updated: SECOND + 20 } as never], { offset: 1 });
      throw waitError();
    };
    const job = await syncs.start(connection, { tapIds: [connection.taps.other as string] });
    const [step] = await syncs.waitingSteps(connection);
    await syncs.step(step?.data);
    await syncs.cancel(connection, job);
    const merges = `select start_after <= now() as "isDue" from taproot_jobs.job where name = 'table-merge' and state = 'created' and data ->> 'tenantId' = $1`;
    expect(await syncs.world.query(merges, [connection.tenantId])).toContainEqual({ isDue: true });
  });

  it('is chosen by the workspace for taps with equal keys and types', async () => {
    const { read, push, set, names, connection } = await aFeed({ sync: { mode: 'push', cursorField: 'updated' } });
    await set(connection.taps.users);
    await read('users', [user(1, 10, 'a')]);
    await push(user(1, 20, 'pushed'));
    expect(await names()).toEqual(['1 pushed']);
    await set(null);
    await push(user(1, 30, 'own table'));
    expect([await names(), await names('other')]).toEqual([['1 pushed'], ['1 own table']]);
  });

  it.each([
    ['different primary keys', { primaryKey: 'uuid' }, 'The feeding tap and the fed tap have different primary keys.'],
    [
      'the name of another tap',
      { feeds: { tap: 'orders' } },
      'allows only one fed tap: "orders" of the vendor of the feeding tap',
    ],
  ])('cannot be chosen with %s', async (_, change, message) => {
    const { set, connection } = await aFeed({ sync: { mode: 'push' }, ...change });
    await expect(set(connection.taps.users)).rejects.toThrow(message);
  });

  it('cannot be chosen if its mode is neither upsert nor history, or if a tap would feed itself', async () => {
    const { set, connection } = await aFeed({ sync: { mode: 'push' } }, { sync: { mode: 'full' } });
    await expect(set(connection.taps.users)).rejects.toThrow('must be upsert or history');
    await expect(set(connection.taps.other)).rejects.toThrow('cannot feed itself');
  });
});
