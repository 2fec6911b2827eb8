import { describe, expect, it } from 'vitest';
import { decodeId } from '../../../src/kernel/ids.js';
import { mergedTaps } from '../../support/syncs/merged-taps.js';

const { syncs, aTap } = await mergedTaps();
const { world } = syncs;

type Tap = Awaited<ReturnType<typeof aTap>>;

async function columnsOf({ connection }: Tap): Promise<string[]> {
  const sql = 'select schema from catalog_table where tap_id = $1';
  const [row] = await world.query(sql, [decodeId(connection.taps.users as string)]);
  return row?.schema.fields.map(({ name }: { name: string }) => name);
}

async function reasonsIn({ connection }: Tap): Promise<unknown[]> {
  const sql = `select f.tenant_id, f.table_id, f.id from table_file f join catalog_table t on t.id = f.table_id
    where t.tap_id = $1 and f.kind = 'rejects' and f.state = 'live'`;
  const files = await world.query(sql, [decodeId(connection.taps.users as string)]);
  const paths = files.map((f) => `'${world.folder}/files/tables/${f.tenant_id}/${f.table_id}/rejects/${f.id}.parquet'`);
  const rows = await world.services.duckdb.rows(
    `select reason from read_parquet([${paths.join(', ')}]) order by reason`,
  );
  return rows.map(({ reason }) => reason);
}

const UNKNOWN = 'field "name": the table has no such column, and the drift policy of its tap is freeze';

describe('the drift policy freeze', () => {
  it('rejects read records with an unknown field or another type, and accepts the rest of the page', async () => {
    const tap = await aTap();
    await tap.change({ driftPolicy: 'freeze' });
    await tap.pull([
      { id: 1, updated: 1_000 },
      { id: 2, updated: 1_000, name: 'new' },
      { id: 3.5, updated: 1_000 },
      { id: 4, updated: 1_000, name: null as never },
    ]);
    expect(await syncs.idsIn(tap.connection, 'users')).toEqual([1, 4]);
    expect(await reasonsIn(tap)).toEqual(['column "id": 3.5 does not fit Integer', UNKNOWN]);
    expect(await columnsOf(tap)).toEqual(['id', 'updated']);
  });

  it('rejects pushed records with an unknown field', async () => {
    const tap = await aTap({ mode: 'push' });
    await tap.change({ driftPolicy: 'freeze' });
    await tap.push({ id: 1 }, { id: 2, name: 'new' });
    expect(await syncs.idsIn(tap.connection, 'users')).toEqual([1]);
    expect(await reasonsIn(tap)).toEqual([UNKNOWN]);
  });

  it('ends when the policy becomes add: further records add columns again', async () => {
    const tap = await aTap();
    await tap.change({ driftPolicy: 'freeze' });
    await tap.pull([{ id: 1, updated: 1_000 }]);
    await tap.change({ driftPolicy: 'add' });
    await tap.pull([{ id: 2, updated: 2_000, name: 'new' }]);
    expect(await tap.names()).toEqual(['1 null', '2 new']);
  });
});
