import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decideHeldRecords } from '../../../src/ingest/held/decide-held-records.js';
import { decodeId, encodeId } from '../../../src/kernel/ids.js';
import { compactTable } from '../../../src/tables/files/compact-table.js';
import { COMPACTION_MIN_FILES } from '../../../src/tables/files/table-maintenance.js';
import { systemCaller, type WorkspaceTransaction, writeAsCaller } from '../../../src/tenancy/workspace-transaction.js';
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

async function heldIn({ connection }: Tap): Promise<unknown> {
  const sql = `select held_records::int as held, proposed_columns as proposed, refused_fields as refused
    from catalog_table t join tenant_connector_tap p on p.id = t.tap_id where p.id = $1`;
  return (await world.query(sql, [decodeId(connection.taps.users as string)]))[0];
}

function decide({ connection: { tenantId, taps } }: Tap, decision: 'accept' | 'refuse'): Promise<void> {
  const { em, tables } = world.services;
  const write = <Result>(work: (tx: WorkspaceTransaction) => Promise<Result>): Promise<Result> =>
    writeAsCaller(em, tables, systemCaller(tenantId), randomUUID(), work);
  return decideHeldRecords({ write, tableServices: world.services }, taps.users as string, decision);
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

describe('the drift policy ask', () => {
  const [known, unknown] = [
    { id: 1, updated: 1_000 },
    { id: 2, updated: 1_000, name: 'new' },
  ];
  const asked = async (tap: Tap): Promise<Tap> => {
    await tap.change({ driftPolicy: 'ask' });
    await tap.pull([known, unknown, { id: 3.5, updated: 1_000 }]);
    return tap;
  };
  const none = { held: 0, proposed: null, refused: null };

  it('holds read records with an unknown field, and loads the rest of the page', async () => {
    const tap = await asked(await aTap());
    expect(await syncs.idsIn(tap.connection, 'users')).toEqual([1]);
    expect(await reasonsIn(tap)).toEqual(['column "id": 3.5 does not fit Integer']);
    expect(await heldIn(tap)).toEqual({ ...none, held: 1, proposed: [{ name: 'name', type: 'String', records: 1 }] });
    expect(await columnsOf(tap)).toEqual(['id', 'updated']);
  });

  it('adds the columns and loads the records when a person accepts, once', async () => {
    const tap = await asked(await aTap());
    await decide(tap, 'accept');
    await decide(tap, 'accept');
    expect(await tap.names()).toEqual(['1 null', '2 new']);
    expect(await heldIn(tap)).toEqual(none);
    await tap.pull([{ id: 4, updated: 4_000, name: 'known' }]);
    expect(await tap.names()).toEqual(['1 null', '2 new', '4 known']);
  });

  it('rejects the records when a person refuses, and later records with the field', async () => {
    const tap = await asked(await aTap());
    await decide(tap, 'refuse');
    await tap.pull([{ id: 4, updated: 4_000, name: 'again' }]);
    expect(await syncs.idsIn(tap.connection, 'users')).toEqual([1]);
    expect(await heldIn(tap)).toEqual({ ...none, refused: ['name'] });
    expect(await reasonsIn(tap)).toEqual([
      'a person refused the new columns that the record needs',
      'column "id": 3.5 does not fit Integer',
      'field "name": the table has no such column, and the column was refused',
    ]);
    await tap.change({ driftPolicy: 'add' });
    expect(await heldIn(tap)).toEqual(none);
  });

  it('never replaces a row by an older version of the record', async () => {
    const tap = await aTap();
    await tap.change({ driftPolicy: 'ask' });
    await tap.pull([{ id: 2, updated: 1_000, name: 'older' }, known]);
    await tap.pull([{ id: 2, updated: 2_000 }]);
    await decide(tap, 'accept');
    expect(await syncs.idsIn(tap.connection, 'users')).toEqual([1, 2]);
    expect(await tap.names()).not.toContain('2 older');
    expect(await heldIn(tap)).toEqual(none);
  });

  it('holds pushed records, with all values of several batches', async () => {
    const tap = await aTap({ mode: 'push' });
    await tap.change({ driftPolicy: 'ask' });
    await tap.push({ id: 1 }, { id: 2, name: 'two' });
    await tap.push({ id: 3, name: 3 as never }, { id: 4 });
    expect(await syncs.idsIn(tap.connection, 'users')).toEqual([1, 4]);
    expect(await heldIn(tap)).toEqual({ ...none, held: 2, proposed: [{ name: 'name', type: 'JSON', records: 2 }] });
    await decide(tap, 'accept');
    expect(await tap.names()).toEqual(['1 null', '2 "two"', '3 3', '4 null']);
  });

  it('merges many small files of held records, with their proposed columns', async () => {
    const tap = await aTap({ mode: 'push' });
    await tap.change({ driftPolicy: 'ask' });
    for (let id = 1; id <= COMPACTION_MIN_FILES; id++) await tap.push({ id, name: id === 1 ? (1 as never) : 'new' });
    const sql = 'select id from catalog_table where tap_id = $1';
    const [table] = await world.query(sql, [decodeId(tap.connection.taps.users as string)]);
    const place = { tenantId: tap.connection.tenantId, tableId: encodeId(table?.id) };
    await compactTable(world.services, place, new AbortController().signal);
    expect(await tap.liveFiles()).toEqual([`held ${COMPACTION_MIN_FILES}`]);
    const proposed = [{ name: 'name', type: 'JSON', records: COMPACTION_MIN_FILES }];
    expect(await heldIn(tap)).toMatchObject({ held: COMPACTION_MIN_FILES, proposed });
    await decide(tap, 'accept');
    expect(await tap.totals()).toMatchObject({ rows: COMPACTION_MIN_FILES, held_records: 0 });
  });

  it('keeps the held records if the decision fails', async () => {
    const tap = await asked(await aTap());
    const { hooks } = world.services;
    const open = hooks.openGate;
    hooks.openGate = async () => ({ checksEachBatch: false, check: () => Promise.reject(new Error('killed')) });
    await expect(decide(tap, 'accept')).rejects.toThrow('killed');
    hooks.openGate = open;
    expect(await heldIn(tap)).toMatchObject({ held: 1 });
    expect(await columnsOf(tap)).toEqual(['id', 'updated']);
    await decide(tap, 'accept');
    expect(await tap.names()).toEqual(['1 null', '2 new']);
  });

  it('keeps no held records of the rows that a full read replaces', async () => {
    const tap = await aTap({ mode: 'full' });
    await tap.change({ driftPolicy: 'ask', mode: 'replace' });
    await tap.pull([known, unknown]);
    await tap.pull([known, { ...unknown, name: 'newer' }]);
    await decide(tap, 'accept');
    expect(await tap.names()).toEqual(['1 null', '2 newer']);
  });
});
