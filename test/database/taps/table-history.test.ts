import { describe, expect, it } from 'vitest';
import { decodeId } from '../../../src/kernel/ids.js';
import { mergedTaps } from '../../support/syncs/merged-taps.js';

const { syncs, aTap } = await mergedTaps();
const { world } = syncs;

describe('the table of a tap with the mode history', () => {
  async function aHistory(...options: Parameters<typeof aTap>) {
    const tap = await aTap(...options);
    await tap.change({ mode: 'history' });
    return tap;
  }

  it('has a row per version with its times, in the order of versions, of pulled and of late pushed records', async () => {
    const tap = await aHistory({ mode: 'incremental', cursorField: 'updated', cursorValueFormat: 'epoch_millis' });
    await tap.pull([
      { id: 1, updated: 1_000, name: 'a' },
      { id: 2, updated: 1_000, name: 'b' },
    ]);
    await tap.pull([{ id: 1, updated: 5_000, name: 'c' }]);
    await tap.push({ id: 1, updated: 3_000, name: 'late' }, { id: 2, updated: 4_000, gone: true });
    expect(await tap.history()).toEqual(['1 a 1000-3000', '1 c 5000-', '1 late 3000-5000', '2 b 1000-4000']);
    expect((await syncs.run(tap.connection, 'users')).mode).toBe('history');
  });

  it('gets no row for a record without a change, and continues with a late version', async () => {
    const tap = await aHistory({ mode: 'push' });
    for (const name of ['same', 'same', 'other']) await tap.push({ id: 1, name });
    expect((await tap.names()).sort()).toEqual(['1 other', '1 same']);
    expect(await tap.liveFiles()).toEqual(['unchanged 1', 'data 2']);
  });

  it('follows from the definition', async () => {
    const tap = await aTap({ mode: 'incremental', cursorField: 'updated', tableMode: 'history' });
    await tap.pull([{ id: 1, updated: 1_000, name: 'a' }]);
    await tap.pull([{ id: 1, updated: 2_000, name: 'b' }]);
    expect(await tap.history()).toEqual(['1 a 1000-2000', '1 b 2000-']);
  });

  it('takes over the rows of the mode upsert, but cannot become upsert while it has rows', async () => {
    const tap = await aTap();
    await tap.pull([{ id: 1, updated: 1_000, name: 'a' }]);
    await tap.change({ mode: 'history' });
    await tap.pull([{ id: 1, updated: 2_000, name: 'b' }]);
    expect(await tap.history()).toEqual(['1 a 1000-2000', '1 b 2000-']);
    await expect(tap.change({ mode: 'upsert' })).rejects.toThrow('several rows per record');
  });

  it.each(['incremental', 'full'] as const)(
    'cannot become upsert by way of other modes while it has a history: %s',
    async (mode) => {
      const tap = await aHistory({ mode, cursorField: 'updated' });
      await tap.pull([{ id: 1, updated: 1_000, name: 'a' }]);
      for (const other of mode === 'full' ? (['append', 'replace'] as const) : (['append'] as const)) {
        await tap.change({ mode: other });
        await expect(tap.change({ mode: 'upsert' })).rejects.toThrow('several rows per record');
      }
    },
  );

  it('can become upsert once all rows were replaced, and then holds each record once', async () => {
    const tap = await aHistory({ mode: 'full' });
    await tap.pull([{ id: 1, updated: 1_000, name: 'a' }]);
    await tap.change({ mode: 'replace' });
    await tap.pull([{ id: 1, updated: 1_000, name: 'a' }]);
    await tap.change({ mode: 'upsert' });
    for (const updated of [2_000, 3_000]) await tap.pull([{ id: 1, updated, name: 'b' }]);
    expect(await tap.names()).toEqual(['1 b']);
  });

  it('remains a history, also for new records, if the default mode of the definition changes', async () => {
    const tap = await aHistory();
    await tap.pull([{ id: 1, updated: 1_000, name: 'a' }]);
    await world.query('update tenant_connector_tap set mode = null where id = $1', [
      decodeId(tap.connection.taps.users as string),
    ]);
    for (const [updated, name] of [
      [2_000, 'b'],
      [3_000, 'c'],
    ] as const)
      await tap.pull([{ id: 2, updated, name }]);
    expect((await tap.names()).sort()).toEqual(['1 a', '2 b', '2 c']);
  });
});
