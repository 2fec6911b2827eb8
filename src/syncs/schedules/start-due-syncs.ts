import { decodeId, encodeId } from '../../kernel/ids.js';
import { JOBS_SCHEMA, type RunningJob } from '../../kernel/jobs/job-queue.js';
import { runTenantTransaction, type TenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import type { TableServices } from '../../tables/table-context.js';
import { syncStepQueue } from '../runs/sync-step-job.js';
import { type DueSyncData, scheduleDueSyncs } from './due-sync-job.js';
import { startDueSync } from './start-due-sync.js';

/** Syncs that a job starts before the next workspace has its turn. */
const MAX_STARTS = 4;

/**
 * If more first steps of a workspace wait for a worker, further syncs start later. Workers run steps in the order of
 * the queue, so thousands of steps of one workspace would delay the steps of other workspaces.
 */
const MAX_WAITING_STEPS = 80;

/** Delay while more steps wait. A workspace reads at most about 20 taps per second, so some still wait afterwards. */
const BUSY_SECONDS = 3;

/** Delay of a start after an unexpected failure. */
const FAILURE_MINUTES = 5;

const ofDueSchedules = `
from sync_schedule s join tenant_connector_instance i on i.tenant_id = s.tenant_id and i.id = s.instance_id
where s.tenant_id = $1 and i.deleted_at is null`;

/** $1 workspace, $2 workspace as in jobs. */
const SELECT_DUE = `
select s.instance_id ${ofDueSchedules} and s.next_run_at <= now() order by s.next_run_at
limit (
  select case when count(*) > ${MAX_WAITING_STEPS} then 0 else ${MAX_STARTS} end from ${JOBS_SCHEMA}.job
  where name = '${syncStepQueue.name}' and state < 'active' and priority > 0 and group_id = $2
)`;

const SELECT_NEXT = `select extract(epoch from min(s.next_run_at)) * 1000, min(s.next_run_at) <= now() ${ofDueSchedules}`;

const POSTPONE = `
update sync_schedule set next_run_at = now() + interval '${FAILURE_MINUTES} minutes'
where tenant_id = $1 and instance_id = $2 and next_run_at <= now()`;

/** Starts some syncs of a workspace that are due, and enqueues the job that starts the next syncs. */
export async function startDueSyncs(
  services: TableServices,
  { tenantId }: DueSyncData,
  job: RunningJob,
): Promise<void> {
  const inWorkspace = <Result>(work: (tx: TenantTransaction) => Promise<Result>): Promise<Result> =>
    runTenantTransaction(services.em, services.tables, tenantId, work);
  const tenant = decodeId(tenantId);
  const due = await inWorkspace(({ read }) => read.rows(SELECT_DUE, [tenant, tenantId]));
  for (const [instance] of due) {
    job.signal.throwIfAborted();
    const connection = { tenantId, instanceId: encodeId(instance as string) };
    // A connection that cannot be started must not delay the other connections of the workspace.
    await startDueSync(services, connection, job).catch(async (error: unknown) => {
      await inWorkspace(({ read }) => read.rows(POSTPONE, [tenant, instance]));
      services.report(error, job.id);
    });
  }
  await inWorkspace(async ({ em, read }) => {
    const [[next, isDue] = []] = await read.rows(SELECT_NEXT, [tenant]);
    if (next == null) return;
    const isBusy = due.length === 0 && isDue === 't';
    await scheduleDueSyncs(services.jobs, em, tenantId, isBusy ? BUSY_SECONDS : new Date(Number(next)));
  });
}
