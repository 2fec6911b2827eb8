import { describe, expect, it } from 'vitest';
import { decodeId } from '../../../src/kernel/ids.js';
import { TapReadError } from '../../../src/syncs/tap-read-error.js';
import { mergedTaps, type Version } from '../../support/syncs/merged-taps.js';
import { aPage, onlyOnce, waitError } from '../../support/syncs/synced-taps.js';

const { syncs, aTap } = await mergedTaps();
const { world } = syncs;
type Tap = Awaited<ReturnType<typeof aTap>>;

const BY_ABSENCE = { deletionSemantics: 'by_absence' };

/** The records have the same cursor in each read, as in a source without changes. */
const recordsOf = (...ids: number[]): Version[] => ids.map((id) => ({ id, updated: 1_000, name: `n${id}` }));
const namesOf = (...ids: number[]): string[] => ids.map((id) => `${id} n${id}`);

const FIRST = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const WITHOUT_2 = FIRST.filter((id) => id !== 2);

async function aFullTap(mode: 'upsert' | 'history', more: object = BY_ABSENCE, sync: object = {}): Promise<Tap> {
  const tap = await aTap({ mode: 'full', cursorField: 'updated', cursorValueFormat: 'epoch_millis', ...sync }, more);
  await tap.change({ mode });
  await tap.pull(recordsOf(...FIRST));
  return tap;
}

async function currentNames(tap: Tap): Promise<unknown[]> {
  const rows = await syncs.rowsOf(tap.connection, 'users');
  const current = rows.filter((row) => row._valid_to == null && !row._record_deleted);
  return current.map(({ id, name }) => `${id} ${name}`);
}

/** Each page has one record. `beforePage` may throw an error. */
async function readInPages(
  tap: Tap,
  versions: readonly Version[],
  beforePage: (offset: number) => unknown,
): Promise<void> {
  tap.connection.vendor.users = async function* (_, from) {
    for (let at = from?.offset ?? 0; at < versions.length; at++) {
      beforePage(at);
      yield aPage([versions[at] as Version], at + 1 < versions.length ? { offset: at + 1 } : undefined);
    }
  };
  await syncs.start(tap.connection);
  await syncs.runSteps(tap.connection);
}

const statusOf = async (tap: Tap) => (await syncs.run(tap.connection, 'users')).status;

describe.each(['upsert', 'history'] as const)('a complete full read in mode %s', (mode) => {
  it('deletes the records that it does not return, and adds them again when a read returns them', async () => {
    const tap = await aFullTap(mode);
    await tap.pull(recordsOf(...WITHOUT_2));
    expect([await currentNames(tap), await statusOf(tap)]).toEqual([namesOf(...WITHOUT_2), 'succeeded']);
    await tap.pull(recordsOf(...FIRST));
    await tap.pull(recordsOf(...FIRST));
    expect((await currentNames(tap)).sort()).toEqual(namesOf(...FIRST).sort());
    await tap.pull(recordsOf(...WITHOUT_2));
    expect((await currentNames(tap)).sort()).toEqual(namesOf(...WITHOUT_2).sort());
  });

  it('counts the records of all its steps as returned, also rejected records and records without changes', async () => {
    const tap = await aFullTap(mode);
    const pauses = [3, 6].map((at) => onlyOnce(waitError, at));
    const versions = WITHOUT_2.map((id) =>
      id === 3 ? { id, updated: 2_000, name: { not: 'text' } } : recordsOf(id)[0],
    );
    await readInPages(tap, versions as Version[], (at) => {
      for (const pause of pauses) pause(at);
    });
    expect((await currentNames(tap)).sort()).toEqual(namesOf(...WITHOUT_2).sort());
    expect([await tap.totals(), await tap.filesIn('pending')]).toMatchObject([{ rejected_rows: 1 }, 0]);
  });

  it('keeps records that were pushed during the read', async () => {
    const tap = await aFullTap(mode);
    const pausing = onlyOnce(waitError, 4);
    const versions = recordsOf(...WITHOUT_2);
    tap.connection.vendor.users = async function* (_, from) {
      for (let at = from?.offset ?? 0; at < versions.length; at++) {
        pausing(at);
        yield aPage([versions[at] as Version], at + 1 < versions.length ? { offset: at + 1 } : undefined);
      }
    };
    await syncs.start(tap.connection);
    const [step] = await syncs.waitingSteps(tap.connection);
    await world.query('delete from taproot_jobs.job where id = $1', [step?.id]);
    await syncs.step(step?.data);
    await tap.push({ id: 99, updated: 1_000, name: 'n99' });
    await syncs.runSteps(tap.connection);
    expect((await currentNames(tap)).sort()).toEqual([...namesOf(...WITHOUT_2), '99 n99'].sort());
  });

  it('holds the deletions of more than 30 % of the records until a person accepts them', async () => {
    const tap = await aFullTap(mode);
    await tap.pull(recordsOf(1, 2, 3));
    expect([await currentNames(tap), await statusOf(tap)]).toEqual([namesOf(...FIRST), 'failed']);
    expect((await syncs.run(tap.connection, 'users')).held_until).not.toBeNull();
    await tap.acceptHeld();
    expect([await currentNames(tap), await tap.filesIn('pending')]).toEqual([namesOf(1, 2, 3), 0]);
  });

  it('holds the deletions of all records if it returns none', async () => {
    const tap = await aFullTap(mode);
    await tap.pull([]);
    expect([await currentNames(tap), await statusOf(tap)]).toEqual([namesOf(...FIRST), 'failed']);
  });
});

describe('an incomplete read', () => {
  it('deletes nothing if it has failed, and the next complete read does', async () => {
    const tap = await aFullTap('upsert');
    const pause = onlyOnce(waitError, 3);
    await readInPages(tap, recordsOf(...WITHOUT_2), (at) => {
      pause(at);
      if (at === 5) throw new TapReadError('contract', 'fail_tap', 'not JSON');
    });
    expect([await currentNames(tap), await statusOf(tap)]).toEqual([namesOf(...FIRST), 'failed']);
    expect(await tap.filesIn('pending')).toBe(0);
    await tap.pull(recordsOf(...WITHOUT_2));
    expect(await currentNames(tap)).toEqual(namesOf(...WITHOUT_2));
  });

  it('deletes nothing if the definition skips a slice after a response', async () => {
    const tap = await aFullTap('upsert');
    await readInPages(tap, recordsOf(...WITHOUT_2), (at) => {
      if (at === 8) throw new TapReadError('permission', 'skip_slice', 'Forbidden.');
    });
    expect([await currentNames(tap), await statusOf(tap)]).toEqual([namesOf(...FIRST), 'succeeded']);
  });

  it('deletes nothing if an earlier step skipped a slice', async () => {
    const tap = await aFullTap('upsert');
    const fanOut = (scope = { variables: {}, parentFields: {} }) =>
      ['first', 'second'].map((part) => ({ ...scope, variables: { part } }));
    const pause = onlyOnce(waitError, 1);
    tap.connection.vendor.users = async function* ({ variables }, from) {
      if (variables.part === 'first') throw new TapReadError('permission', 'skip_slice', 'Forbidden.');
      if (!from) yield aPage(recordsOf(1), { offset: 1 });
      pause(1);
      yield aPage(recordsOf(...WITHOUT_2));
    };
    await syncs.start(tap.connection);
    const using = syncs.servicesWith(world.services, { concurrency: 1, fanOut });
    await syncs.runSteps(tap.connection, { using });
    expect([await currentNames(tap), await statusOf(tap)]).toEqual([namesOf(...FIRST), 'succeeded']);
    const { slices_total: total } = await syncs.run(tap.connection, 'users');
    expect(total).toBe(2);
  });

  it.each([
    ['the source does not report deletions by absence', {}, {}],
    ['the tap reads time windows', BY_ABSENCE, { mode: 'incremental' }],
  ])('deletes nothing if %s', async (_, more, sync) => {
    const tap = await aFullTap('upsert', more, sync);
    await tap.pull(recordsOf(...WITHOUT_2));
    expect(await currentNames(tap)).toEqual(namesOf(...FIRST));
  });

  it('deletes nothing if the definition filters the records', async () => {
    const tap = await aTap({ mode: 'full', cursorField: 'updated' }, BY_ABSENCE);
    await world.query(
      `update connector_tap set response_extraction = '{"primaryKey":"id","recordFilter":"active"}'
       where id = (select tap_id from tenant_connector_tap where id = $1)`,
      [decodeId(tap.connection.taps.users as string)],
    );
    await tap.change({ mode: 'upsert' });
    await tap.pull(recordsOf(...FIRST));
    await tap.pull(recordsOf(...WITHOUT_2));
    expect(await currentNames(tap)).toEqual(namesOf(...FIRST));
  });
});

describe('the row of a record that a read no longer contains', () => {
  it('stays with a mark if deleted rows are marked, until a read returns the record again', async () => {
    const tap = await aFullTap('upsert');
    await tap.change({ deletedRows: 'mark' });
    await tap.pull(recordsOf(...WITHOUT_2));
    await tap.pull(recordsOf(...WITHOUT_2));
    expect((await tap.names()).filter((name) => String(name).includes('deleted'))).toEqual(['2 n2 deleted']);
    await tap.pull(recordsOf(...FIRST));
    expect(await tap.names()).toEqual(namesOf(...FIRST));
  });

  it('ends in a history when the read started', async () => {
    const tap = await aFullTap('history');
    const before = Date.now();
    await tap.pull(recordsOf(...WITHOUT_2));
    const rows = await syncs.rowsOf(tap.connection, 'users');
    const ended = rows.filter(({ _valid_to }) => _valid_to != null);
    expect(ended.map(({ id }) => Number(id))).toEqual([2]);
    const end = Number(new Date(String(ended[0]?._valid_to)));
    expect([end >= before - 1_000, end <= Date.now()]).toEqual([true, true]);
  });
});
