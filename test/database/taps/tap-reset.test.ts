import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { decodeId, encodeId } from '../../../src/kernel/ids.js';
import { TapReadError } from '../../../src/syncs/tap-read-error.js';
import { withTableLease } from '../../../src/tables/files/table-lease.js';
import { mergedTaps, type Version } from '../../support/syncs/merged-taps.js';
import { aPage } from '../../support/syncs/synced-taps.js';

const { syncs, aTap } = await mergedTaps();
const { world } = syncs;

type Tap = Awaited<ReturnType<typeof aTap>>;

const resetAtOf = async ({ connection }: Tap): Promise<unknown> =>
  (
    await world.query('select reset_at from tenant_connector_tap where id = $1', [
      decodeId(connection.taps.users as string),
    ])
  )[0]?.reset_at;

async function aTapToReset(...given: Parameters<typeof aTap>): Promise<Tap> {
  const tap = await aTap(...given);
  await tap.pull([
    { id: 1, updated: 1_000, name: 'a' },
    { id: 2, updated: 1_000, name: 'b' },
  ]);
  return tap;
}

/** Reads each page in a separate step. Calls `between` between two steps. */
async function pullInSteps(
  { connection }: Tap,
  pages: readonly (readonly Version[])[],
  between: (nextPage: number) => Promise<unknown> = async () => undefined,
): Promise<void> {
  connection.vendor.users = async function* (_, from) {
    const at = from?.offset ?? 0;
    const isLast = at + 1 >= pages.length;
    yield aPage(pages[at] as Version[], isLast ? undefined : { offset: at + 1 });
    if (!isLast) throw new TapReadError('rate_limited', 'wait', 'Slow down.', { retryAfterMs: 60_000 });
  };
  await syncs.start(connection);
  for (let next = 1; ; next++) {
    await syncs.runSteps(connection);
    if (next >= pages.length) return;
    await between(next);
    await world.query(`update tap_run set not_before = null where status = 'waiting'`);
    await world.query(`update taproot_jobs.job set start_after = now() where name = 'sync-tap-step'`);
  }
}

describe('a reset tap', () => {
  it('reads everything in its next sync, and readers see the old rows until the read is complete', async () => {
    const tap = await aTapToReset();
    await tap.reset();
    const seen: unknown[] = [];
    await pullInSteps(
      tap,
      [[{ id: 2, updated: 500 }], [{ id: 3, updated: 1_500 }], [{ id: 4, updated: 500 }]],
      async () => seen.push(await tap.names()),
    );
    expect(seen).toEqual([
      ['1 a', '2 b'],
      ['1 a', '2 b'],
    ]);
    expect(await syncs.idsIn(tap.connection, 'users')).toEqual([2, 3, 4]);
    expect(await resetAtOf(tap)).toBeNull();
    expect(await syncs.run(tap.connection, 'users')).toMatchObject({ mode: 'replace', is_resync: true });
    await tap.pull([{ id: 3, updated: 2_000, name: 'C' }]);
    expect((await syncs.run(tap.connection, 'users')).mode).toBe('upsert');
    expect(await tap.names()).toEqual(['2 null', '3 C', '4 null']);
  });

  it('holds each record once, although steps of the read return several versions of it', async () => {
    const tap = await aTapToReset();
    await tap.reset();
    await pullInSteps(tap, [
      [{ id: 2, updated: 1_000, name: 'old' }],
      [
        { id: 3, updated: 1_000, name: 'c' },
        { id: 2, updated: 3_000, name: 'new' },
      ],
      [{ id: 3, updated: 4_000, gone: true }],
    ]);
    expect(await tap.names()).toEqual(['2 new']);
    expect(await tap.totals()).toMatchObject({ rows: 1 });
  });

  it('keeps records that were pushed during the read, unless the read has a newer version', async () => {
    const tap = await aTapToReset();
    await tap.reset();
    const read = [2_000, 2_000, 9_000_000].map((updated, at) => ({ id: [2, 3, 5][at] as number, updated }));
    await pullInSteps(tap, [read, [{ id: 6, updated: 2_000 }]], async () => {
      await tap.push({ id: 2, updated: 5_000, name: 'pushed' }, { id: 4, updated: 5_000, name: 'pushed' });
      await tap.push({ id: 3, updated: 5_000, gone: true }, { id: 5, updated: 5_000, name: 'older' });
    });
    expect(await tap.names()).toEqual(['2 pushed', '4 pushed', '5 null', '6 null']);
  });

  it('keeps held records that were pushed during the read', async () => {
    const tap = await aTapToReset();
    await tap.change({ driftPolicy: 'ask' });
    await tap.push({ id: 8, color: 'earlier' } as never);
    await tap.reset();
    await pullInSteps(tap, [[{ id: 2, updated: 2_000 }], [{ id: 6, updated: 2_000 }]], async () => {
      await tap.push({ id: 9, color: 'red' } as never);
    });
    expect(await tap.totals()).toMatchObject({ rows: 2, held_records: 1 });
  });

  it('starts again after a failed or cancelled read, which changes no row', async () => {
    const tap = await aTapToReset();
    await tap.reset();
    tap.connection.vendor.users = async function* () {
      yield aPage([{ id: 7, updated: 7_000 }], { offset: 1 });
      throw new Error('lost');
    };
    const job = await syncs.start(tap.connection);
    await expect(syncs.runSteps(tap.connection)).rejects.toThrow('lost');
    await syncs.cancel(tap.connection, job);
    expect(await tap.names()).toEqual(['1 a', '2 b']);
    expect(await resetAtOf(tap)).toBeInstanceOf(Date);
    await tap.pull([{ id: 2, updated: 500, name: 'b' }]);
    expect(await tap.names()).toEqual(['2 b']);
    expect(await resetAtOf(tap)).toBeNull();
  });

  const recordsFrom = (first: number): Version[] =>
    Array.from({ length: 20 }, (_, nth) => ({ id: first + nth, updated: 1_000 }));

  /**
   * Resets a tap with 20 records, and reads it again. The service holds the new rows, because 7 of the 20 records are
   * missing.
   */
  async function aHeldTap(dataKind: 'event' | 'snapshot'): Promise<Tap> {
    const tap = await aTap({ mode: 'incremental', cursorField: 'updated' }, { dataKind });
    await tap.pull(recordsFrom(1));
    await world.query(
      `update table_contract set rules = '[{"type":"missing_rate","maxRate":0.3}]' where scope = 'tap' and table_id = (select id from catalog_table where tap_id = $1)`,
      [decodeId(tap.connection.taps.users as string)],
    );
    await tap.reset();
    await tap.pull(recordsFrom(8));
    expect((await syncs.run(tap.connection, 'users')).held_until).toBeInstanceOf(Date);
    return tap;
  }

  it('accepts its held rows with the columns that another writer has added before', async () => {
    const tap = await aHeldTap('snapshot');
    await tap.push({ id: 28, updated: 9_000 });
    const tapId = decodeId(tap.connection.taps.users as string);
    const [table] = await world.query('select id from catalog_table where tap_id = $1', [tapId]);
    let accepting: Promise<void> | undefined;
    await withTableLease(world.services, tap.connection.tenantId, encodeId(table?.id as string), async () => {
      accepting = tap.acceptHeld();
      await sleep(100);
      await world.query('update catalog_table set schema_version = 7 where tap_id = $1', [tapId]);
    });
    await accepting;
    const versions = `select schema_version from table_file where table_id = $1 and state = 'live' and kind = 'data'`;
    expect(await world.query(versions, [table?.id])).toContainEqual({ schema_version: 7 });
  });

  it('continues after its held rows, once a person has accepted them', async () => {
    const tap = await aHeldTap('event');
    await tap.acceptHeld();
    await tap.pull(recordsFrom(8));
    expect(await syncs.run(tap.connection, 'users')).toMatchObject({ mode: 'append', records_read: '20' });
    expect(await tap.totals()).toMatchObject({ rows: 20 });
  });

  it('can hold each record once, although its table had appended rows', async () => {
    const tap = await aTapToReset({ mode: 'incremental', cursorField: 'updated' }, { dataKind: 'event' });
    await expect(tap.change({ mode: 'upsert' })).rejects.toThrow('reset the tap first');
    await tap.reset();
    await tap.change({ mode: 'upsert' });
    await tap.pull([{ id: 1, updated: 1_000, name: 'a' }]);
    await tap.pull([{ id: 1, updated: 2_000, name: 'A' }]);
    expect(await tap.names()).toEqual(['1 A']);
  });

  it.each(['incremental', 'full'] as const)(
    'keeps pushed records by their key, although its table had rows without keys: %s',
    async (mode) => {
      const tap = await aTapToReset({ mode, cursorField: 'updated' }, { dataKind: 'event' });
      if (mode === 'incremental') await tap.reset();
      await tap.change({ mode: 'upsert' });
      const pages = [1, 2, 3].map((id) => [{ id, updated: 1_000, name: 'read' }]);
      await pullInSteps(tap, pages, async (next) => {
        if (next === 1)
          await tap.push({ id: 1, updated: 5_000, name: 'pushed' }, { id: 3, updated: 5_000, gone: true });
      });
      expect(await tap.names()).toEqual(['1 pushed', '2 read']);
      await tap.push({ id: 1, updated: 6_000, name: 'pushed again' });
      expect(await tap.names()).toEqual(['1 pushed again', '2 read']);
    },
  );

  it('keeps the values of pushed records in a column `_op` of the source', async () => {
    const tap = await aTapToReset();
    const id = decodeId(tap.connection.taps.users as string);
    await world.query(
      `update catalog_table set schema = jsonb_set(schema::jsonb, '{fields}', (schema::jsonb -> 'fields') || '{"name":"_op","type":"String"}'::jsonb) where tap_id = $1`,
      [id],
    );
    await tap.reset();
    await pullInSteps(tap, [[{ id: 1, updated: 1_000 }], [{ id: 2, updated: 1_000 }]], () =>
      tap.push({ id: 3, updated: 5_000, _op: 'sale' } as Version),
    );
    const rows = await syncs.rowsOf(tap.connection, 'users');
    expect(rows.map(({ id, _op }) => `${id} ${_op ?? ''}`)).toEqual(['1 ', '2 ', '3 sale']);
  });

  it('does not read everything for a time range', async () => {
    const tap = await aTapToReset();
    await tap.reset();
    await syncs.start(tap.connection, { range: { from: new Date(0), until: new Date(10_000) } });
    await syncs.runSteps(tap.connection);
    expect(await syncs.idsIn(tap.connection, 'users')).toEqual([1, 2]);
    expect(await resetAtOf(tap)).toBeInstanceOf(Date);
  });

  it('cannot be reset while a sync of it is open, nor if the service does not read it', async () => {
    const tap = await aTapToReset();
    const job = await syncs.start(tap.connection);
    await expect(tap.reset()).rejects.toMatchObject({ code: 'CONFLICT' });
    await syncs.cancel(tap.connection, job);
    await tap.reset();
    const pushed = await aTap({ mode: 'push' });
    await expect(pushed.reset()).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});
