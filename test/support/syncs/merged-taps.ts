import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { TapSync } from '../../../src/catalog/model/tap-sync.js';
import { decodeId } from '../../../src/kernel/ids.js';
import { acceptHeldRows } from '../../../src/syncs/held/decide-held-rows.js';
import { resetTap } from '../../../src/syncs/schedules/reset-tap.js';
import { mergeUnmergedFiles } from '../../../src/tables/merge/merge-unmerged-files.js';
import { updateTenantConnectorTap } from '../../../src/tables/taps/update-tenant-connector-tap.js';
import type { UpdateTenantConnectorTapArgs } from '../../../src/tables/tenant-connector-tap.inputs.js';
import { systemCaller, type WorkspaceTransaction, writeAsCaller } from '../../../src/tenancy/workspace-transaction.js';
import { pendingBatches } from '../tables/pending-batches.js';
import { aPage, syncedTaps } from './synced-taps.js';

export interface Version {
  readonly id: number;
  readonly updated?: number;
  readonly name?: string;
  readonly gone?: boolean;
}

/** Three records. `NEW` changes two of them and deletes one. */
export const OLD: Version[] = [
  { id: 1, updated: 1_000, name: 'a' },
  { id: 2, updated: 1_000, name: 'b' },
  { id: 3, updated: 1_000, name: 'c' },
];
export const NEW: Version[] = [
  { id: 1, updated: 2_000, name: 'A' },
  { id: 2, updated: 2_000, gone: true },
  { id: 3, updated: 2_000, name: 'C' },
];

/** Rows of the table after a sync of `OLD`. `NEW_NAMES` are the rows after a sync of `NEW`. */
export const OLD_NAMES = ['1 a', '2 b', '3 c'];
export const NEW_NAMES = ['1 A', '3 C'];

const SNAPSHOT = { dataKind: 'snapshot', deletionMarker: 'gone' } as const;

export async function mergedTaps() {
  const syncs = await syncedTaps();
  const { world } = syncs;
  const { accept, flush } = pendingBatches(world);

  /** Creates a tap whose table contains each record once. `pull` runs a sync that reads the given pages. */
  async function aTap(sync: TapSync = { mode: 'incremental', cursorField: 'updated' }, more: object = {}) {
    const connection = await syncs.createConnection({ users: { sync, ...SNAPSHOT, ...more } });
    const { tenantId, taps } = connection;
    const table = { tenantId, tapId: taps.users as string, tableId: '', schema: { fields: [] } };
    const asSystem = <Result>(work: (tx: WorkspaceTransaction) => Promise<Result>): Promise<Result> =>
      writeAsCaller(world.services.em, world.services.tables, systemCaller(tenantId), randomUUID(), work);
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
      /** Pushes records and merges them. Returns the number of table files that the merge reads. */
      async push(...records: readonly Version[]): Promise<number> {
        await accept(
          table,
          records.map((record) => JSON.stringify(record)),
        );
        const live = new Set((await world.query(`select id from table_file where state = 'live'`)).map(({ id }) => id));
        let reads = 0;
        const { localFiles } = world.services;
        const use: typeof localFiles.use = (files, work) => {
          reads += files.filter(({ key }) => live.has(basename(key, '.parquet'))).length;
          return localFiles.use(files, work);
        };
        await flush(table, { ...world.services, localFiles: { use } as typeof localFiles });
        return reads;
      },
      reset(): Promise<void> {
        return asSystem((tx) => resetTap(tx, table.tapId));
      },
      acceptHeld(): Promise<void> {
        return acceptHeldRows({ write: asSystem, tableServices: world.services }, table.tapId);
      },
      change(change: Partial<UpdateTenantConnectorTapArgs>): Promise<void> {
        return asSystem((tx) => updateTenantConnectorTap(tx, { id: table.tapId, ...change }));
      },
      async names(): Promise<unknown[]> {
        return (await syncs.rowsOf(connection, 'users')).map(
          ({ id, name, _record_deleted }) => `${id} ${name}${_record_deleted ? ' deleted' : ''}`,
        );
      },
      /** Returns `ID NAME VALID_FROM-VALID_TO` of each row, sorted. Times are in milliseconds since 1970. */
      async history(): Promise<string[]> {
        const rows = await syncs.rowsOf(connection, 'users');
        const msOf = (time: unknown): string => (time == null ? '' : String(Number(new Date(String(time)))));
        return rows.map((row) => `${row.id} ${row.name} ${msOf(row._valid_from)}-${msOf(row._valid_to)}`).sort();
      },
      async liveFiles(): Promise<unknown[]> {
        const sql = `select f.kind, f.rows::int from table_file f join catalog_table t on t.id = f.table_id
        where t.tap_id = $1 and f.state = 'live' order by f.created_at`;
        return (await world.query(sql, [decodeId(table.tapId)])).map(({ kind, rows }) => `${kind} ${rows}`);
      },
      async filesIn(state: string): Promise<number> {
        const sql = `select from table_file f join catalog_table t on t.id = f.table_id where t.tap_id = $1 and f.state = $2`;
        return (await world.query(sql, [decodeId(table.tapId), state])).length;
      },
      /** Runs the merge job of the table if it is due within `seconds`. Returns whether it was due. */
      async runMergeJob(seconds = 0): Promise<boolean> {
        const sql = `delete from taproot_jobs.job where name = 'table-merge' and data ->> 'tenantId' = $1
          and start_after <= now() + make_interval(secs => $2) returning data`;
        const [job] = await world.query(sql, [tenantId, seconds + 1]);
        if (job) await mergeUnmergedFiles(world.services, job.data, new AbortController().signal);
        return job !== undefined;
      },
      async mergedBy(): Promise<unknown> {
        const sql = 'select merged_by from catalog_table where tap_id = $1';
        return (await world.query(sql, [decodeId(table.tapId)]))[0]?.merged_by;
      },
      /** `sql` selects from `changes`, which contains the rows of the table. */
      select: (sql: string) => syncs.select(connection, 'users', sql),
      async totals(): Promise<unknown> {
        const sql =
          'select rows::int, file_count, rejected_rows::int, held_records::int from catalog_table where tap_id = $1';
        return (await world.query(sql, [decodeId(table.tapId)]))[0];
      },
    };
  }

  return { syncs, aTap, accept, flush };
}
