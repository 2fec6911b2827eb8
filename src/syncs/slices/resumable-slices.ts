import type { EntityManager } from '@mikro-orm/postgresql';
import { deferPrepared, executePrepared } from '../../kernel/execute-prepared.js';
import { decodeId } from '../../kernel/ids.js';
import type { Reader } from '../../kernel/reading/reader.js';
import type { LoadedRun } from '../runs/load-run.js';
import { partitionOf } from '../runs/tap-states.js';
import { type OpenSlice, SLICE_COLUMNS, toOpenSlice } from './slice-rows.js';

/**
 * Keeps open slices from which the run has read records, because these records are already in the table. Deletes the
 * other slices: if the run has read no records from a slice, the saved position may have caused the failure of the run.
 */
const DELETE_OTHERS = `
delete from sync_slice where tenant_id = ? and tap_run_id = ? and (state <> 'open' or page_token is null or records_read = 0)`;

const SELECT_RESUMABLE = `
select ${SLICE_COLUMNS} from sync_slice s, tap_run r where r.tenant_id = $1 and r.tap_id = $2 and r.id <> $3
  and s.tenant_id = r.tenant_id and s.tap_run_id = r.id`;

const DELETE_ALL = `
delete from sync_slice s using tap_run r where r.tenant_id = ? and r.tap_id = ? and s.tenant_id = r.tenant_id and s.tap_run_id = r.id`;

const DELETE_RESUMABLE = `
delete from sync_slice s using tap_run r where r.tenant_id = ? and r.tap_id = ? and r.id <> ?
  and s.tenant_id = r.tenant_id and s.tap_run_id = r.id`;

/** When a run ends, deletes its slices, except the slices that the next run can continue. */
export async function keepResumableSlices(
  em: EntityManager,
  { tenantId, runId }: Pick<LoadedRun, 'tenantId' | 'runId'>,
): Promise<void> {
  await deferPrepared(em, DELETE_OTHERS, [decodeId(tenantId), decodeId(runId)]);
}

/** Returns the slices that an earlier run of the tap has read in part, by partition. */
export async function readResumableSlices(
  read: Reader,
  { tenantId, tapId, runId }: LoadedRun,
): Promise<ReadonlyMap<string, OpenSlice>> {
  const rows = await read.rows(SELECT_RESUMABLE, [tenantId, tapId, runId].map(decodeId));
  return new Map(rows.map(toOpenSlice).map((slice) => [partitionOf(slice.variables), slice]));
}

export async function deleteResumableSlices(em: EntityManager, { tenantId, tapId, runId }: LoadedRun): Promise<void> {
  await deferPrepared(em, DELETE_RESUMABLE, [tenantId, tapId, runId].map(decodeId));
}

/** The caller must check that no run of the tap is open. */
export async function deleteSlicesOfTap(
  em: EntityManager,
  { tenantId, tapId }: Pick<LoadedRun, 'tenantId' | 'tapId'>,
): Promise<void> {
  await executePrepared(em, DELETE_ALL, [tenantId, tapId].map(decodeId));
}
