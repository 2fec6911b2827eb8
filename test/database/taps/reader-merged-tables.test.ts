import { afterEach, describe, expect, it } from 'vitest';
import { decodeId, encodeId } from '../../../src/kernel/ids.js';
import { monitorTable } from '../../../src/quality/runs/monitor-table.js';
import { changeContract, checkStatusesOf, qualityOf, spcOf } from '../../support/quality/quality-results.js';
import { mergedTaps, NEW, NEW_NAMES, OLD, OLD_NAMES } from '../../support/syncs/merged-taps.js';

const { syncs, aTap, accept, flush } = await mergedTaps();
const { world } = syncs;

afterEach(() => world.query('delete from taproot_jobs.job'));

describe('a table that is too large to merge', () => {
  const exceed = () => world.query('update catalog_table set bytes = 1e15');
  const NEWEST = `select * from changes qualify row_number() over (
    partition by _record_key order by coalesce(_version, _record_version) desc, _op = 'delete' desc, _received_at desc, _row desc) = 1`;

  it('stores each change as a row with its operation and version, which readers merge', async () => {
    const tap = await aTap();
    await tap.pull(OLD);
    expect(await tap.mergedBy()).toBe('service');
    await exceed();
    await tap.pull(NEW);
    await tap.pull([{ id: 1, updated: 1_500, name: 'late' }]);
    expect([await tap.mergedBy(), await tap.liveFiles()]).toEqual(['reader', ['data 3', 'data 3', 'data 1']]);
    const rows = (await syncs.rowsOf(tap.connection, 'users')).filter(({ _op }) => _op !== null);
    expect(rows.map(({ id, _op, _version }) => `${id} ${_op} ${String(_version).slice(17, 23)}`).sort()).toEqual([
      '1 upsert 01.5+0',
      '1 upsert 02+00',
      '2 delete 02+00',
      '3 upsert 02+00',
    ]);
    const merged = `with newest as (${NEWEST}) select id || ' ' || name as name from newest where _op is distinct from 'delete' order by 1`;
    expect((await tap.select(merged)).map(({ name }) => name)).toEqual(NEW_NAMES);
  });

  it('keeps its deletions as changes, so that a late version does not bring a record back', async () => {
    const tap = await aTap();
    await tap.pull(OLD);
    await tap.pull(NEW);
    await exceed();
    await tap.pull([{ id: 2, updated: 1_500, name: 'late' }]);
    expect(await tap.mergedBy()).toBe('reader');
    const merged = `with newest as (${NEWEST}) select id || ' ' || name as name from newest where _op is distinct from 'delete' order by 1`;
    expect((await tap.select(merged)).map(({ name }) => name)).toEqual(NEW_NAMES);
  });

  it('cannot change to the mode history, unless the tap is reset', async () => {
    const tap = await aTap();
    await tap.pull(OLD);
    await exceed();
    await tap.pull(NEW);
    await expect(tap.change({ mode: 'history' })).rejects.toThrow(
      'readers, and not the service, merge the changes of the table',
    );
    await tap.reset();
    await tap.change({ mode: 'history' });
    await tap.pull(OLD);
    expect([await tap.mergedBy(), await tap.names()]).toEqual(['service', OLD_NAMES]);
  });

  it('keeps pushed records that could not be written as changes, and rejects none', async () => {
    const tap = await aTap({ mode: 'push' });
    await tap.push({ id: 1, name: 'a' });
    await exceed();
    const { tenantId, taps } = tap.connection;
    await accept({ tenantId, tapId: taps.users as string, tableId: '', schema: { fields: [] } }, [
      '{"id":1,"name":"A"}',
    ]);
    const localFiles = { use: () => Promise.reject(new Error('damaged file')) } as never;
    await flush(
      { tenantId, tapId: taps.users as string, tableId: '', schema: { fields: [] } },
      { ...world.services, localFiles },
      5,
    );
    expect([await tap.mergedBy(), await tap.filesIn('unmerged')]).toEqual(['service', 1]);
    await exceed();
    expect(await tap.runMergeJob(600)).toBe(true);
    expect([await tap.mergedBy(), await tap.totals()]).toMatchObject(['reader', { rows: 2, rejected_rows: 0 }]);
  });

  it('passes checks of the newest version of each record, although older versions are in the files', async () => {
    const tap = await aTap();
    await tap.pull(OLD);
    await exceed();
    await tap.pull(NEW);
    const { tenantId, taps } = tap.connection;
    const sql = 'select id from catalog_table where tap_id = $1';
    const [table] = await world.query(sql, [decodeId(taps.users as string)]);
    const tableId = encodeId(table?.id);
    await changeContract(world.query, tableId, 'data', {
      ...{ primaryKey: ['id'], series: [{ kind: 'TABLE_ROW_COUNT' }] },
      rules: [{ type: 'primary_key_unique' }, { type: 'duplicate_rate' }, { type: 'null_rate', column: 'name' }],
    });
    await monitorTable(
      world.quality,
      { tenantId, tableId },
      { id: 'monitor', attempt: 1, signal: new AbortController().signal },
    );
    const [result] = await qualityOf(world.query, tableId, 'data');
    expect(result && checkStatusesOf(result)).toEqual([
      'primary_key_unique PASS',
      'duplicate_rate PASS',
      'null_rate:name PASS',
    ]);
    const [chart] = await spcOf(world.query, tableId, 'data');
    expect([result?.measures?.rows, chart?.series[0]?.latestValue]).toEqual([2, 2]);
  });

  it('is merged by the service again after all rows were replaced', async () => {
    const tap = await aTap({ mode: 'full' });
    await tap.change({ mode: 'upsert' });
    await tap.pull(OLD);
    await exceed();
    await tap.pull(NEW);
    expect(await tap.mergedBy()).toBe('reader');
    await tap.change({ mode: null });
    await tap.pull(OLD);
    expect([await tap.mergedBy(), await tap.names()]).toEqual(['service', OLD_NAMES]);
  });
});
