import { statusListSql } from '../../kernel/entities/status-list-sql.js';
import { executePrepared } from '../../kernel/execute-prepared.js';
import { decodeId } from '../../kernel/ids.js';
import type { Jobs } from '../../kernel/jobs/jobs.js';
import type { TenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import { type SyncStepData, syncStepQueue } from '../runs/sync-step-job.js';
import { OPEN_RUN_STATUSES } from '../tap-run-status.js';

/** Interval at which a paused run checks whether its connection has resumed. */
const PAUSE_SECONDS = 60;

const PAUSE = `
update tap_run set status = 'waiting', not_before = now() + make_interval(secs => ${PAUSE_SECONDS}), updated_at = now()
where tenant_id = ? and id = ? and status in (${statusListSql(OPEN_RUN_STATUSES)})`;

/** The next step checks again whether the connection is paused. */
export async function pauseRun({ em }: TenantTransaction, jobs: Jobs, data: SyncStepData): Promise<void> {
  await executePrepared(em, PAUSE, [data.tenantId, data.runId].map(decodeId));
  await jobs.enqueue(em, syncStepQueue, data, { key: data.runId, startAfter: PAUSE_SECONDS });
}
