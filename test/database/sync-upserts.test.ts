import { describe, expect, it } from 'vitest';
import { decodeId } from '../../src/kernel/ids.js';
import { mergedTaps, type Version } from '../support/syncs/merged-taps.js';
import { aPage } from '../support/syncs/synced-taps.js';

const { syncs, aTap } = await mergedTaps();
const { world } = syncs;
const DAY_MS = 86_400_000;

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
    expect(await tap.totals()).toEqual({ rows: 3, file_count: 2, rejected_rows: 0, held_records: 0 });
    expect((await syncs.run(tap.connection, 'users')).mode).toBe('upsert');
  });

  it('holds the first of the versions with the same time, if the source returns the newest first', async () => {
    const tap = await aTap({ mode: 'incremental', cursorField: 'updated', sortOrder: 'descending' });
    await tap.pull(
      [
        { id: 1, updated: 3_000, name: 'paid' },
        { id: 1, updated: 3_000, name: 'open' },
        { id: 2, updated: 2_000, name: 'paid' },
      ],
      [
        { id: 2, updated: 2_000, name: 'open' },
        { id: 1, updated: 1_000, name: 'draft' },
      ],
    );
    expect(await tap.names()).toEqual(['1 paid', '2 paid']);
  });

  it('is read from the start if the source no longer keeps the changes since the saved cursor', async () => {
    const { connection } = await aTap({ mode: 'incremental', cursorField: 'updated', maxCursorAgeDays: 30 });
    const updated = Date.now() - 29 * DAY_MS;
    const starts: (number | undefined)[] = [];
    connection.vendor.users = async function* ({ window }) {
      starts.push(window?.since?.getTime());
      yield aPage([{ id: 1, updated }]);
    };
    const sync = async () => {
      await syncs.start(connection);
      await syncs.runSteps(connection);
    };
    await sync();
    await sync();
    const lost = new Date(Date.now() - 31 * DAY_MS);
    await world.query('update tap_state set cursor_time = $1 where tenant_id = $2', [
      lost,
      decodeId(connection.tenantId),
    ]);
    await sync();
    expect(starts).toEqual([undefined, updated, undefined]);
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
    await tap.pull([{ id: 1, updated: 1_000, name: 'a' }]);
    expect((await syncs.run(tap.connection, 'users')).mode).toBe('upsert');
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

  it('reads only files whose range of keys contains a new key', async () => {
    const tap = await aTap({ mode: 'push' });
    const reads: number[] = [];
    for (const ids of [[1, 3], [5, 7], [4], [3], [5], [1, 7]])
      reads.push(await tap.push(...ids.map((id) => ({ id, name: ids.join() }))));
    expect(reads).toEqual([0, 0, 0, 1, 1, 5]);
    expect(await tap.names()).toEqual(['1 1,7', '3 3', '4 4', '5 5', '7 1,7']);
  });

  it('finds keys in the order of UTF-8 bytes, long keys, and keys with NUL', async () => {
    const tap = await aTap({ mode: 'push' }, { primaryKey: 'name' });
    const [long, withNul] = ['x'.repeat(300), 'n\0'];
    const versionsOf = (id: number, ...names: string[]) => names.map((name) => ({ id, name }));
    await tap.push(...versionsOf(1, 'B', 'a', 'b'));
    await tap.push(...versionsOf(1, '\uff5e', '😀'));
    await tap.push(...versionsOf(1, long));
    await tap.push(...versionsOf(1, withNul));
    for (const name of ['a', '\uff5e', '😀', long, withNul]) await tap.push(...versionsOf(2, name));
    expect((await tap.names()).sort()).toEqual([
      ...['B', 'b'].map((name) => `1 ${name}`),
      ...['a', withNul, long, '😀', '\uff5e'].map((name) => `2 ${name}`),
    ]);
  });

  it('has one version of each record for concurrent readers', async () => {
    const tap = await aTap({ mode: 'push' });
    const ids = [1, 2, 3];
    const versionsOf = (name: string) => ids.map((id) => ({ id, name }));
    await tap.push(...versionsOf('0'));
    const seen: unknown[] = [];
    let isOver = false;
    const reading = (async () => {
      while (!isOver) seen.push(await tap.names());
    })();
    for (let nth = 1; nth <= 8; nth++) await tap.push(...versionsOf(String(nth)));
    isOver = true;
    await reading;
    const whole = Array.from({ length: 9 }, (_, nth) => ids.map((id) => `${id} ${nth}`));
    for (const names of seen) expect(whole).toContainEqual(names);
    expect(new Set(seen.map(String)).size).toBeGreaterThan(1);
  });

  it('rejects a deletion without a key', async () => {
    const tap = await aTap({ mode: 'push' });
    await tap.push({ id: 1 }, { gone: true } as never);
    expect(await tap.totals()).toEqual({ rows: 1, file_count: 1, rejected_rows: 1, held_records: 0 });
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
    await expect(tap.change({ mode: null })).rejects.toThrow('rows without a stored primary key');
  });

  it('cannot become append if each run reads records with future dates again', async () => {
    const tap = await aTap({ mode: 'incremental', incrementalParams: { defaultLookaheadDays: 10 } });
    await expect(tap.change({ mode: 'append' })).rejects.toThrow('would store the records with future dates again');
  });

  it('cannot become upsert while an open sync may append rows', async () => {
    const tap = await aTap();
    await tap.change({ mode: 'append' });
    tap.connection.vendor.users = async function* () {
      yield aPage([]);
    };
    await syncs.start(tap.connection);
    await expect(tap.change({ mode: null })).rejects.toThrow('while a sync of the connection is open');
    await syncs.runSteps(tap.connection);
    await tap.change({ mode: null });
    await tap.pull([A]);
    expect((await syncs.run(tap.connection, 'users')).mode).toBe('upsert');
  });

  it('stays append while the table has appended rows, although the default of the definition is now upsert', async () => {
    const tap = await aTap();
    await tap.change({ mode: 'append' });
    await tap.pull([A]);
    await world.query('update tenant_connector_tap set mode = null where id = $1', [
      decodeId(tap.connection.taps.users as string),
    ]);
    await tap.pull([NEWER]);
    await tap.push({ ...NEWER, name: 'pushed' }, { id: 1, updated: 3_000, gone: true });
    expect((await syncs.run(tap.connection, 'users')).mode).toBe('append');
    expect((await tap.names()).sort()).toEqual(['1 a', '1 newer', '1 null', '1 pushed']);
    await expect(tap.change({ mode: 'upsert' })).rejects.toThrow('rows without a stored primary key');
  });

  it('upsert keeps the records that a full read no longer contains', async () => {
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

  it('is rejected if the definition does not support it', async () => {
    const tap = await aTap();
    await expect(tap.change({ mode: 'replace' })).rejects.toMatchObject({ code: 'CONFLICT' });
    await world.query(
      `update connector_tap set response_extraction = '{}' where id = (select tap_id from tenant_connector_tap where id = $1)`,
      [decodeId(tap.connection.taps.users as string)],
    );
    await expect(tap.change({ mode: 'upsert' })).rejects.toThrow('requires a primary key');
  });
});
