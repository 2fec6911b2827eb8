import type { EntityManager } from '@mikro-orm/postgresql';
import { LeaseLost } from '../../kernel/concurrency/lease.js';
import { deferPrepared, executePrepared } from '../../kernel/execute-prepared.js';
import { decodeId } from '../../kernel/ids.js';
import type { TenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import type { TableMerger } from '../catalog-table.js';
import type { TableSchema } from '../table-schema.js';
import type { WrittenFile } from '../written-file.js';
import { type ChangeCause, columnChange, recordVersion, UPDATE_TOTALS } from './record-version.js';
import { scheduleTableCleanup } from './table-cleanup-job.js';
import type { TableLease } from './table-lease.js';
import { scheduleMaintenance } from './table-maintenance.js';
import { MAX_WAIT_SECONDS, scheduleMerge } from './table-merge-job.js';

export interface TableChange {
  readonly added: readonly WrittenFile[];
  /** Ids of files to remove from the table. */
  readonly replaced?: readonly string[];
  /** Files whose rows the next merge adds to the table. */
  readonly unmerged?: readonly WrittenFile[];
  /** Who merges the versions of a record from now on: the service or the readers. Undefined for no change. */
  readonly mergedBy?: TableMerger;
  /** Whether the rows now have `HISTORY_COLUMNS`. Undefined if this property does not change. */
  readonly hasHistory?: boolean;
  /** Undefined if the columns do not change. */
  readonly schema?: TableSchema;
  readonly cause: ChangeCause;
}

/** Minimum time before the cleanup job deletes a replaced file, because readers may have opened it. */
export const REPLACED_FILE_GRACE_SECONDS = 3_600;

const SELECT_SCHEMA = 'select schema from catalog_table where tenant_id = ? and id = ?';

/** Locks the row of the table, so that no other writer changes the totals. */
const LOCK_TABLE = `
update catalog_table set updated_at = now(), merged_by = coalesce(?, merged_by), has_history = coalesce(?, has_history), schema = coalesce(?, schema), schema_version = schema_version + ?,
  version = version + ?
where tenant_id = ? and id = ? and writer = ?
returning tap_id, version, schema, (clock_timestamp() + make_interval(secs => ?))::text as kept_until`;

const OF_TABLE = `
from catalog_table t where t.tenant_id = ? and t.id = ? and t.writer = ? and f.tenant_id = t.tenant_id and f.table_id = t.id and f.id = any(?::uuid[])`;

const ADD_FILES = `
update table_file f set state = 'live', kept_until = null, from_version = t.version ${OF_TABLE}
and f.state in ('pending', 'unmerged') returning f.id`;

/**
 * An unmerged file was never part of the table. Its `from_version` and `until_version` become equal, so that no version
 * contains the file.
 */
const REPLACE_FILES = `
update table_file f set state = 'replaced', kept_until = ?, until_version = t.version,
  from_version = case when f.state = 'unmerged' then t.version else f.from_version end ${OF_TABLE}
and f.state in ('live', 'unmerged') returning f.id`;

const KEEP_UNMERGED = `
update table_file f set state = 'unmerged', kept_until = null ${OF_TABLE} and f.state = 'pending' returning f.id`;

interface TableRow {
  readonly schema: TableSchema;
}

interface LockedTable extends TableRow {
  readonly tap_id: string;
  readonly version: number;
  /** Time until which readers can read the previous version and its files. */
  readonly kept_until: string;
}

/**
 * Promotes a tap as soon as its table has accepted or rejected rows. The promotion adds the table to the workspace
 * catalog. Rejected rows are sufficient, because users look in the catalog for the reasons of the rejections.
 */
const PROMOTE_TAP = `
update tenant_connector_tap set promoted_at = now()
where tenant_id = ? and id = ? and promoted_at is null
  and exists (select 1 from catalog_table where tenant_id = ? and tap_id = ? and rows + rejected_rows > 0)`;

/**
 * Adds files to a table and removes other files, atomically in a transaction of the workspace. Throws `LeaseLost` if
 * another writer has taken over the table or has removed one of the files. The caller must then roll back.
 */
export async function commitTableFiles(
  { em }: TenantTransaction,
  lease: TableLease,
  { added, replaced = [], unmerged = [], mergedBy, hasHistory, schema, cause }: TableChange,
): Promise<void> {
  const table = [decodeId(lease.tenantId), decodeId(lease.tableId)];
  const fencedTable = [...table, lease.holder];
  const keptSeconds = lease.services.versionSeconds ?? REPLACED_FILE_GRACE_SECONDS;
  const isChanged = added.length + replaced.length > 0 || schema !== undefined;
  const [before] = schema ? await executePrepared<TableRow>(em, SELECT_SCHEMA, table) : [];
  const [[fenced]] = await Promise.all([
    executePrepared<LockedTable>(em, LOCK_TABLE, [
      ...[mergedBy ?? null, hasHistory ?? null, schema ? JSON.stringify(schema) : null, schema ? 1 : 0],
      ...[isChanged ? 1 : 0, ...fencedTable, keptSeconds],
    ]),
    changeFiles(em, ADD_FILES, fencedTable, idsOf(added)),
    changeFiles(em, KEEP_UNMERGED, fencedTable, idsOf(unmerged)),
  ]);
  if (!fenced) throw new LeaseLost();
  const { version, kept_until: keptUntil } = fenced;
  await changeFiles(em, REPLACE_FILES, [keptUntil, ...fencedTable], replaced);
  if (isChanged) {
    const first = version === 1 ? { schema: { fields: [] } } : before;
    const columns = first && columnChange(first.schema, fenced.schema);
    await recordVersion(em, table, { cause, columns, version, keptUntil });
  } else await deferPrepared(em, UPDATE_TOTALS, [...table, ...table]);
  const tap = [decodeId(lease.tenantId), fenced.tap_id];
  await deferPrepared(em, PROMOTE_TAP, [...tap, ...tap]);
  // Omits the other properties of the lease, because a job would store them.
  const { tenantId, tableId } = lease;
  if (replaced.length) await scheduleTableCleanup(lease.services.jobs, em, { tenantId, tableId }, keptSeconds + 5);
  if (unmerged.length) await scheduleMerge(lease.services.jobs, em, { tenantId, tableId }, MAX_WAIT_SECONDS);
  await scheduleMaintenance(lease.services.jobs, em, { tenantId, tableId });
}

/** Throws `LeaseLost` if the statement does not change all files, because another process has changed one of them. */
async function changeFiles(
  em: EntityManager,
  statement: string,
  values: readonly unknown[],
  ids: readonly string[],
): Promise<void> {
  const changed = ids.length ? await executePrepared(em, statement, [...values, uuidArray(ids)]) : [];
  if (changed.length < ids.length) throw new LeaseLost();
}

function idsOf(files: readonly WrittenFile[]): string[] {
  return files.map(({ id }) => id);
}

function uuidArray(ids: readonly string[]): string {
  return `{${ids.map(decodeId).join(',')}}`;
}
