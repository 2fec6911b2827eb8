import type { EntityManager } from '@mikro-orm/postgresql';
import { decodeId, encodeId } from '../../kernel/ids.js';
import { runTenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import type { TableServices } from '../table-context.js';
import type { TableFileKind } from '../table-file.js';
import type { ProposedColumn } from '../table-schema.js';
import { commitTableFiles } from './commit-table-files.js';
import { discardOnFailure } from './discard-table-files.js';
import { type MergeSource, mergeTableFiles } from './merge-table-files.js';
import { splitBySize } from './split-by-size.js';
import type { TableJobData } from './table-cleanup-job.js';
import { type TableLease, waitForTableLease } from './table-lease.js';
import {
  COMPACTION_MIN_FILES,
  readMaintenancePolicy,
  SMALL_FILE_BYTES,
  tableCompactionQueue,
} from './table-maintenance.js';

/** Delay before the next attempt if another writer holds the lease of the table. */
const RETRY_SECONDS = 15;

/**
 * Excludes files of held records while a run replaces all rows of the table. At its end, the run removes the files
 * whose held records are older than the run. If compaction merged these files with files of later records, the run
 * could not remove them.
 */
const SELECT_SMALL_FILES = `
select f.id, f.kind, f.rows::float8 as rows, f.bytes::float8 as bytes, c.schema_version as "schemaVersion",
  f.first_key as "firstKey", f.last_key as "lastKey", f.proposed_columns as "proposedColumns",
  extract(epoch from f.first_received_at)::float8 as first, extract(epoch from f.last_received_at)::float8 as last
from table_file f join catalog_table c on c.tenant_id = f.tenant_id and c.id = f.table_id
where f.tenant_id = ? and f.table_id = ? and f.state = 'live' and f.bytes < ${SMALL_FILE_BYTES}
  and (f.kind <> 'held' or not exists (
    select from table_file g
    where g.tenant_id = f.tenant_id and g.table_id = f.table_id and g.state = 'pending' and g.generation is not null))
order by f.last_received_at, f.created_at, f.id`;

interface SmallRow {
  readonly id: string;
  readonly kind: TableFileKind;
  readonly rows: number;
  readonly bytes: number;
  readonly schemaVersion: number;
  readonly firstKey: string | null;
  readonly lastKey: string | null;
  readonly proposedColumns: ProposedColumn[] | null;
  readonly first: number;
  readonly last: number;
}

interface SmallFile extends MergeSource, Pick<SmallRow, 'kind' | 'bytes' | 'schemaVersion'> {}

/**
 * Merges small files while there are many files of a kind. Acquires the lease for each merge, so that other writers can
 * write between two merges. Restrictions:
 * - Merges files without `RECORD_COLUMNS` only with other such files. In a merged file with these columns,
 *   `hasRowsWithoutKeys` would not find the rows without keys.
 * - If the tap has a retention period, merges only files whose newest rows are from the same UTC day.
 *
 * Throws `StorageQuotaExceededError` if the quota has no room for both the merged file and its sources. The sources
 * then remain.
 */
export async function compactTable(services: TableServices, data: TableJobData, signal: AbortSignal): Promise<void> {
  const withLongRows = new Set<string>();
  for (;;) {
    const result = await waitForTableLease(services, data, signal, (lease) =>
      compactOnce(services, lease, withLongRows, signal),
    );
    if (result === 'done') return;
    if (result === 'more') continue;
    await runTenantTransaction(services.em, services.tables, data.tenantId, ({ em }) =>
      services.jobs.enqueue(em, tableCompactionQueue, data, { key: data.tableId, startAfter: RETRY_SECONDS }),
    );
    return;
  }
}

/**
 * Merges one group of files. If the rows are too long to merge, adds the ids of the files to `withLongRows` instead.
 */
async function compactOnce(
  services: TableServices,
  lease: TableLease,
  withLongRows: Set<string>,
  jobSignal: AbortSignal,
): Promise<'more' | 'done'> {
  const { tenantId, tableId } = lease;
  const signal = AbortSignal.any([jobSignal, lease.signal]);
  const groups = await runTenantTransaction(services.em, services.tables, tenantId, ({ em }) =>
    readGroups(em, lease, withLongRows),
  );
  const group = groups.find(({ length }) => length >= COMPACTION_MIN_FILES);
  const [merged] = splitBySize(group ?? []); // The first part contains the oldest files.
  const [first] = merged ?? [];
  if (!merged || !first) return 'done';
  const { kind, schemaVersion } = first;
  const file = await mergeTableFiles(
    services,
    { tenantId, tableId, schemaVersion, enforcesQuota: true },
    kind,
    merged,
    signal,
  );
  if (!file) {
    for (const { id } of merged) withLongRows.add(id);
    return 'more';
  }
  const change = { added: [file], replaced: merged.map(({ id }) => id), cause: { kind: 'compaction' } } as const;
  await discardOnFailure(services, lease, [file], () =>
    runTenantTransaction(services.em, services.tables, tenantId, (tx) => commitTableFiles(tx, lease, change)),
  );
  return 'more';
}

async function readGroups(
  em: EntityManager,
  table: TableJobData,
  excluded: ReadonlySet<string>,
): Promise<SmallFile[][]> {
  const policy = await readMaintenancePolicy(em, table);
  if (!policy || policy.isOver) return [];
  const rows = await em.execute<SmallRow[]>(SELECT_SMALL_FILES, [decodeId(table.tenantId), decodeId(table.tableId)]);
  const files = rows.map(({ id, first, last, firstKey, lastKey, proposedColumns, ...row }): SmallFile => {
    const [firstReceivedAt, lastReceivedAt] = [new Date(first * 1_000), new Date(last * 1_000)];
    const keys = firstKey === null ? undefined : { first: firstKey, last: lastKey ?? undefined };
    return { ...row, id: encodeId(id), firstReceivedAt, lastReceivedAt, keys, proposedColumns: proposedColumns ?? [] };
  });
  const dayOf = ({ lastReceivedAt }: SmallFile): string => lastReceivedAt.toISOString().slice(0, 10);
  const groupOf = (file: SmallFile): string =>
    `${file.kind} ${file.keys !== undefined} ${policy.retentionDays === null ? '' : dayOf(file)}`;
  const candidates = files.filter(({ id }) => !excluded.has(id));
  return [...Map.groupBy(candidates, groupOf).values()];
}
