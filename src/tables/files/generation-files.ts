import type { EntityManager } from '@mikro-orm/postgresql';
import { deferPrepared, executePrepared } from '../../kernel/execute-prepared.js';
import { decodeId, encodeId } from '../../kernel/ids.js';
import type { Jobs } from '../../kernel/jobs/jobs.js';
import type { TableFileKind } from '../table-file.js';
import type { WrittenFile } from '../written-file.js';
import { scheduleTableCleanup, type TableJobData } from './table-cleanup-job.js';

/**
 * Days after which the cleanup job deletes held rows, and the files of a sync that did not finish. Greater than the
 * longest time for which a vendor can make a sync wait.
 */
export const KEPT_DAYS = 14;

const KEEP_FILES = `
update table_file set generation = ?, kept_until = clock_timestamp() + make_interval(days => ${KEPT_DAYS})
where tenant_id = ? and table_id = ? and state = 'pending' and (generation = ? or id = any(?::uuid[]))`;

const LIVE = "state in ('live', 'unmerged')";

const SELECT = `
select ${LIVE} as "isLive", id, kind, rows::float8 as rows, bytes::float8 as bytes, first_received_at as first, last_received_at as last,
  first_key as "firstKey", last_key as "lastKey"
from table_file where tenant_id = ? and table_id = ?`;

const SELECT_SWAP_FILES = `${SELECT} and (state = 'pending' and generation = ? or ${LIVE}) order by created_at, id`;

const SELECT_LIVE = `${SELECT} and ${LIVE} order by created_at, id`;

const DISCARD_FILES = `
update table_file set state = 'replaced', kept_until = clock_timestamp()
where tenant_id = ? and table_id = ? and state = 'pending' and generation = ? returning id`;

/**
 * Files that several steps of a sync write, and that together replace all rows of a table. One transaction, the swap,
 * makes all of them part of the table. Before the swap, no reader can read them.
 */
interface Generation extends TableJobData {
  /** Id of the tap run that writes the files. */
  readonly generation: string;
}

/**
 * Adds pending files to a generation. The service then keeps all files of the generation for another `KEPT_DAYS`, so
 * that they remain until the swap.
 */
export async function keepGenerationFiles(
  em: EntityManager,
  { tenantId, tableId, generation }: Generation,
  added: readonly Pick<WrittenFile, 'id'>[],
): Promise<void> {
  const ids = `{${added.map(({ id }) => decodeId(id)).join(',')}}`;
  const own = decodeId(generation);
  await deferPrepared(em, KEEP_FILES, [own, decodeId(tenantId), decodeId(tableId), own, ids]);
}

/**
 * Returns the files of a generation (`earlier`), and the files that they replace (`live`). The caller must hold the
 * lease of the table.
 */
export async function readSwapFiles(
  em: EntityManager,
  place: Generation,
): Promise<{ readonly earlier: WrittenFile[]; readonly live: WrittenFile[] }> {
  const rows = await executePrepared<FileRow & { isLive: boolean }>(em, SELECT_SWAP_FILES, valuesOf(place));
  const { true: live = [], false: earlier = [] } = Object.groupBy(rows, ({ isLive }) => `${isLive}`);
  return { earlier: earlier.map(toWrittenFile), live: live.map(toWrittenFile) };
}

/** Returns the files that a swap replaces. The caller must hold the lease of the table. */
export async function readLiveFiles(em: EntityManager, { tenantId, tableId }: TableJobData): Promise<WrittenFile[]> {
  return (await executePrepared<FileRow>(em, SELECT_LIVE, [decodeId(tenantId), decodeId(tableId)])).map(toWrittenFile);
}

function toWrittenFile({ id, kind, rows, bytes, first, last, firstKey, lastKey }: FileRow): WrittenFile {
  return {
    ...{ id: encodeId(id), kind, rows, bytes },
    ...{ firstReceivedAt: new Date(first), lastReceivedAt: new Date(last) },
    keys: firstKey === null ? undefined : { first: firstKey, last: lastKey ?? undefined },
  };
}

interface FileRow {
  readonly id: string;
  readonly kind: TableFileKind;
  readonly rows: number;
  readonly bytes: number;
  readonly first: string | Date;
  readonly last: string | Date;
  readonly firstKey: string | null;
  readonly lastKey: string | null;
}

/** Deletes the files of a generation whose swap will never happen. */
export async function discardGeneration(jobs: Jobs, em: EntityManager, place: Generation): Promise<void> {
  const discarded = await executePrepared<unknown>(em, DISCARD_FILES, valuesOf(place));
  if (discarded.length > 0) await scheduleTableCleanup(jobs, em, place, 0);
}

function valuesOf({ tenantId, tableId, generation }: Generation): unknown[] {
  return [tenantId, tableId, generation].map(decodeId);
}
