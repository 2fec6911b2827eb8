import type { EntityManager } from '@mikro-orm/postgresql';
import { decodeId, encodeId } from '../../kernel/ids.js';
import { runTenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import type { TableServices } from '../table-context.js';
import type { TableFileKind } from '../table-file.js';
import { commitTableFiles } from './commit-table-files.js';
import { discardOnFailure } from './discard-table-files.js';
import { type MergeSource, mergeTableFiles } from './merge-table-files.js';
import type { TableJobData } from './table-cleanup-job.js';
import { type TableLease, waitForTableLease } from './table-lease.js';
import {
  COMPACTION_MIN_FILES,
  readMaintenancePolicy,
  SMALL_FILE_BYTES,
  tableCompactionQueue,
} from './table-maintenance.js';

/** Bytes of what is merged at once, and so about the most that a file has. */
const MAX_MERGED_BYTES = 128 * 2 ** 20;

/** Seconds after which it is tried again where another writer does not come to an end. */
const RETRY_SECONDS = 15;

const SELECT_SMALL_FILES = `
select f.id, f.kind, f.rows::float8 as rows, f.bytes::float8 as bytes, c.schema_version as "schemaVersion",
  extract(epoch from f.first_received_at)::float8 as first, extract(epoch from f.last_received_at)::float8 as last
from table_file f join catalog_table c on c.tenant_id = f.tenant_id and c.id = f.table_id
where f.tenant_id = ? and f.table_id = ? and f.state = 'live' and f.bytes < ${SMALL_FILE_BYTES}
order by f.last_received_at, f.created_at, f.id`;

interface SmallRow {
  readonly id: string;
  readonly kind: TableFileKind;
  readonly rows: number;
  readonly bytes: number;
  readonly schemaVersion: number;
  readonly first: number;
  readonly last: number;
}

interface SmallFile extends MergeSource, Pick<SmallRow, 'kind' | 'bytes' | 'schemaVersion'> {}

/**
 * Merges small files as long as there are many of a kind, each time as the one writer of the table, so that others come in between. Rows stay as they
 * are. Fails with `StorageQuotaExceededError` where the merged file has no room beside those that it replaces; they stay then. Where the tap keeps rows for so many days, those of different days (UTC, by the latest row of a file) stay apart.
 */
export async function compactTable(parts: TableServices, data: TableJobData, signal: AbortSignal): Promise<void> {
  const tooLong = new Set<string>();
  for (;;) {
    const end = await waitForTableLease(parts, data, signal, (lease) => compactOnce(parts, lease, tooLong, signal));
    if (end === 'done') return;
    if (end === 'more') continue;
    await runTenantTransaction(parts.em, parts.tables, data.tenantId, ({ em }) =>
      parts.jobs.enqueue(em, tableCompactionQueue, data, { key: data.tableId, startAfter: RETRY_SECONDS }),
    );
    return;
  }
}

/** Merges some files, or notes that their rows are too long for it; those are left out. */
async function compactOnce(
  parts: TableServices,
  lease: TableLease,
  tooLong: Set<string>,
  jobSignal: AbortSignal,
): Promise<'more' | 'done'> {
  const { tenantId, tableId } = lease;
  const signal = AbortSignal.any([jobSignal, lease.signal]);
  const groups = await runTenantTransaction(parts.em, parts.tables, tenantId, ({ em }) =>
    readGroups(em, lease, tooLong),
  );
  const group = groups.find(({ length }) => length >= COMPACTION_MIN_FILES);
  const merged = group && firstMergeable(group);
  const [first] = merged ?? [];
  if (!merged || !first) return 'done';
  const { kind, schemaVersion } = first;
  const file = await mergeTableFiles(
    parts,
    { tenantId, tableId, schemaVersion, enforcesQuota: true },
    kind,
    merged,
    signal,
  );
  if (!file) {
    for (const { id } of merged) tooLong.add(id);
    return 'more';
  }
  const change = { added: [file], replaced: merged.map(({ id }) => id) };
  await discardOnFailure(parts, lease, [file], () =>
    runTenantTransaction(parts.em, parts.tables, tenantId, (tx) => commitTableFiles(tx, lease, change)),
  );
  return 'more';
}

/** Small files that may be merged with each other. */
async function readGroups(
  em: EntityManager,
  table: TableJobData,
  leftOut: ReadonlySet<string>,
): Promise<SmallFile[][]> {
  const upkeep = await readMaintenancePolicy(em, table);
  if (!upkeep || upkeep.isOver) return [];
  const rows = await em.execute<SmallRow[]>(SELECT_SMALL_FILES, [decodeId(table.tenantId), decodeId(table.tableId)]);
  const files = rows.map(({ id, first, last, ...row }): SmallFile => {
    const [firstReceivedAt, lastReceivedAt] = [new Date(first * 1_000), new Date(last * 1_000)];
    return { ...row, id: encodeId(id), firstReceivedAt, lastReceivedAt };
  });
  const dayOf = ({ lastReceivedAt }: SmallFile): string => lastReceivedAt.toISOString().slice(0, 10);
  const groupOf = (file: SmallFile): string => `${file.kind} ${upkeep.retentionDays === null ? '' : dayOf(file)}`;
  const others = files.filter(({ id }) => !leftOut.has(id));
  return [...Map.groupBy(others, groupOf).values()];
}

/** The first files, as many as make one that is not too large. */
function firstMergeable(files: readonly SmallFile[]): readonly SmallFile[] {
  let [count, bytes] = [0, 0];
  for (const file of files) {
    bytes += file.bytes;
    if (bytes > MAX_MERGED_BYTES) break;
    count += 1;
  }
  return files.slice(0, count);
}
