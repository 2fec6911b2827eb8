import { afterEach, describe, expect, it } from 'vitest';
import { encodeId } from '../../../src/kernel/ids.js';
import { tapRunEnded } from '../../../src/syncs/sync-events.js';
import { mergedTaps, NEW, NEW_NAMES, OLD, OLD_NAMES, type Version } from '../../support/syncs/merged-taps.js';
import { aPage, onlyOnce, waitError } from '../../support/syncs/synced-taps.js';

const { syncs, aTap, accept, flush } = await mergedTaps();
const { world } = syncs;
type Tap = Awaited<ReturnType<typeof aTap>>;

/** Makes the files of all tables appear large, so that a merge does not rewrite them for a few rows. */
const growFiles = () => world.query(`update table_file set bytes = 10000000000 where state = 'live'`);

afterEach(() => world.query('delete from taproot_jobs.job'));

async function aLargeTable(mode: 'upsert' | 'history' = 'upsert'): Promise<Tap> {
  const tap = await aTap();
  await tap.change({ mode });
  await tap.pull(OLD);
  await growFiles();
  return tap;
}

/** Each step of the sync ends after one record, because the vendor requests a pause. */
async function startInSteps({ connection }: Tap, versions: readonly Version[]): Promise<void> {
  const pauses = versions.map((_, at) => onlyOnce(waitError, at + 1));
  connection.vendor.users = async function* (_, from) {
    for (let at = from?.offset ?? 0; at < versions.length; at++) {
      for (const pause of pauses) pause(at);
      yield aPage([versions[at] as Version], at + 1 < versions.length ? { offset: at + 1 } : undefined);
    }
  };
  await syncs.start(connection);
}

async function runOneStep({ connection }: Tap): Promise<void> {
  const [job] = await syncs.waitingSteps(connection);
  await world.query('delete from taproot_jobs.job where id = $1', [job?.id]);
  await syncs.step(job?.data);
}

describe('a sync that changes records of large files', () => {
  it('rewrites the files once, with its last step', async () => {
    const tap = await aLargeTable();
    await startInSteps(tap, NEW);
    for (const waiting of [1, 2]) {
      await runOneStep(tap);
      expect([await tap.names(), await tap.filesIn('unmerged')]).toEqual([OLD_NAMES, waiting]);
    }
    await syncs.runSteps(tap.connection);
    expect(await tap.names()).toEqual(NEW_NAMES);
    expect(await tap.liveFiles()).toEqual(['data 2', 'deletes 1']);
    expect([await tap.filesIn('unmerged'), ((await tap.totals()) as { rows: number }).rows]).toEqual([0, 2]);
  });

  it.each(['upsert', 'history'] as const)(
    'keeps its rows if it is cancelled, and a job merges them: %s',
    async (mode) => {
      const tap = await aLargeTable(mode);
      await startInSteps(tap, NEW);
      await runOneStep(tap);
      const run = await syncs.run(tap.connection, 'users');
      expect(await tap.runMergeJob()).toBe(false);
      await syncs.cancel(tap.connection, encodeId(run?.job_id));
      expect(await tap.runMergeJob()).toBe(true);
      const versions = mode === 'upsert' ? ['1 A'] : ['1 A', '1 a'];
      expect((await tap.names()).sort()).toEqual([...versions, '2 b', '3 c']);
    },
  );

  it('merges its rows once if a worker is lost during the merge', async () => {
    const tap = await aLargeTable();
    await startInSteps(tap, NEW);
    await runOneStep(tap);
    await runOneStep(tap);
    const { services } = world;
    const { localFiles } = services;
    const lost = { use: () => Promise.reject(new Error('killed')) } as never;
    const using = { ...syncs.services, tableServices: { ...services, localFiles: lost } };
    await expect(syncs.runSteps(tap.connection, { using })).rejects.toThrow('killed');
    expect([await tap.names(), await tap.filesIn('unmerged')]).toEqual([OLD_NAMES, 2]);
    expect(localFiles).toBe(world.services.localFiles);
    await syncs.runSteps(tap.connection);
    expect([await tap.names(), await tap.filesIn('unmerged')]).toEqual([NEW_NAMES, 0]);
  });

  it('merges its rows before its end once they have waited for 10 minutes', async () => {
    const tap = await aLargeTable();
    await startInSteps(tap, NEW);
    await runOneStep(tap);
    await world.query(`update table_file set created_at = created_at - interval '10 minutes' where state = 'unmerged'`);
    await runOneStep(tap);
    expect([await tap.names(), await tap.filesIn('unmerged')]).toEqual([['1 A', '3 c'], 0]);
  });
});

describe('records that are pushed into a table with large files', () => {
  it('wait for other records for at most 10 minutes, then a job merges all of them', async () => {
    const tap = await aTap({ mode: 'push', cursorField: 'updated' });
    await tap.push(...OLD);
    await growFiles();
    for (const version of NEW) await tap.push(version);
    await tap.push({ id: 1, updated: 1_500, name: 'late' });
    expect([await tap.names(), await tap.filesIn('unmerged')]).toEqual([OLD_NAMES, 4]);
    expect([await tap.runMergeJob(590), await tap.runMergeJob(600)]).toEqual([false, true]);
    expect([await tap.names(), await tap.filesIn('unmerged')]).toEqual([NEW_NAMES, 0]);
  });

  it('wait for the merge job if their merge fails, and are not rejected', async () => {
    const tap = await aTap({ mode: 'push' });
    await tap.push({ id: 1, name: 'a' });
    const { tenantId, taps } = tap.connection;
    const table = { tenantId, tapId: taps.users as string, tableId: '', schema: { fields: [] } };
    await accept(table, ['{"id":1,"name":"A"}']);
    const localFiles = { use: () => Promise.reject(new Error('damaged file')) } as never;
    await flush(table, { ...world.services, localFiles });
    expect([await tap.names(), await tap.filesIn('unmerged')]).toEqual([['1 a'], 1]);
    expect(await tap.runMergeJob(600)).toBe(true);
    expect([await tap.names(), await tap.totals()]).toMatchObject([['1 A'], { rows: 1, rejected_rows: 0 }]);
  });

  it('become visible at once if their keys are outside the large files', async () => {
    const tap = await aTap({ mode: 'push' });
    await tap.push({ id: 1, name: 'a' });
    await growFiles();
    await tap.push({ id: 2, name: 'b' });
    expect(await tap.names()).toEqual(['1 a', '2 b']);
  });
});

describe('the first sync of a tap that changes from replace to upsert', () => {
  it('stores each record once, even if it was on two pages', async () => {
    const tap = await aTap({ mode: 'full' });
    await tap.pull(OLD);
    await tap.change({ mode: 'upsert' });
    await startInSteps(tap, [...OLD, { id: 1, updated: 2_000, name: 'moved' }, { id: 2, updated: 500, name: 'older' }]);
    await syncs.runSteps(tap.connection);
    expect([await tap.names(), await tap.filesIn('pending')]).toEqual([['1 moved', '2 b', '3 c'], 0]);
    expect((await syncs.run(tap.connection, 'users')).mode).toBe('replace');
  });

  it('leaves no files if its worker is lost after the commit', async () => {
    const tap = await aTap({ mode: 'full' });
    await tap.pull(OLD);
    await tap.change({ mode: 'upsert' });
    await startInSteps(tap, [...OLD, { id: 1, updated: 2_000, name: 'moved' }]);
    let isLost = false;
    const stopWatching = tapRunEnded.subscribe(() => {
      isLost = true;
    });
    const { em } = world.services;
    const tableServices = Object.create(world.services, {
      em: {
        get: () => {
          if (isLost) throw new Error('killed');
          return em;
        },
      },
    });
    await syncs.runSteps(tap.connection, { using: { ...syncs.services, tableServices } }).catch(() => undefined);
    stopWatching();
    const inGeneration = `select f.id from table_file f join tap_run r on r.id = f.generation where r.status = 'succeeded' and f.state = 'pending'`;
    expect([isLost, await tap.names(), await world.query(inGeneration)]).toEqual([true, ['1 moved', '2 b', '3 c'], []]);
  });

  it('replaces rows that wait for a merge too', async () => {
    const tap = await aTap({ mode: 'full' });
    await tap.change({ mode: 'upsert' });
    await tap.pull(OLD);
    await growFiles();
    await startInSteps(tap, NEW);
    await runOneStep(tap);
    const run = await syncs.run(tap.connection, 'users');
    await syncs.cancel(tap.connection, encodeId(run?.job_id));
    expect(await tap.filesIn('unmerged')).toBe(1);
    await tap.change({ mode: null });
    await tap.pull([OLD[2] as Version]);
    await tap.runMergeJob();
    expect([await tap.names(), await tap.filesIn('unmerged')]).toEqual([['3 c'], 0]);
  });
});
