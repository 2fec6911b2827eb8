import { decodeId, encodeId } from '../../kernel/ids.js';
import { JOBS_SCHEMA, type RunningJob } from '../../kernel/jobs/job-queue.js';
import type { TableServices } from '../../tables/table-context.js';
import { systemCaller, type WorkspaceTransaction, writeAsCaller } from '../../tenancy/workspace-transaction.js';
import { syncStepQueue } from '../runs/sync-step-job.js';
import { type DueSyncData, scheduleDueSyncs } from './due-sync-job.js';
import { startDueSync } from './start-due-sync.js';

/** Maximum number of syncs that a job starts before the next workspace has its turn. */
const MAX_STARTS = 6;

/**
 * Per workspace, the maximum number of tap runs whose first step waits for a worker. More waiting steps would delay
 * other workspaces.
 */
const MAX_WAITING_STEPS = 80;

/** Delay before the job starts further syncs if more than `MAX_WAITING_STEPS` tap runs wait for a worker. */
const BUSY_SECONDS = 3;

/** If a start fails unexpectedly, the next attempt follows after this time. */
const FAILURE_MINUTES = 5;

const ofDueSchedules = `
from sync_schedule s join tenant_connector_instance i on i.tenant_id = s.tenant_id and i.id = s.instance_id
where s.tenant_id = $1 and i.deleted_at is null`;

/** $1 is the workspace as a UUID. $2 is the workspace in the format of job data. */
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

/**
 * Uses one transaction, because thousands of syncs can be due together. If it fails, starts each sync in its own
 * transaction.
 */
export async function startDueSyncs(services: TableServices, data: DueSyncData, job: RunningJob): Promise<void> {
  await startTogether(services, data, job).catch(() => startOneByOne(services, data, job));
}

async function startTogether(services: TableServices, { tenantId }: DueSyncData, job: RunningJob): Promise<void> {
  await inTransaction(services, tenantId, job, async (tx) => {
    const due = await selectDue(tx);
    for (const instanceId of due) {
      job.signal.throwIfAborted();
      await startDueSync(tx, services, instanceId);
    }
    await scheduleNext(tx, services, due);
  });
}

/** A sync that cannot start does not delay the remaining syncs. */
async function startOneByOne(services: TableServices, { tenantId }: DueSyncData, job: RunningJob): Promise<void> {
  const inWorkspace: Transact = (work) => inTransaction(services, tenantId, job, work);
  const due = await inWorkspace(selectDue);
  for (const instanceId of due) {
    job.signal.throwIfAborted();
    await inWorkspace((tx) => startDueSync(tx, services, instanceId)).catch(async (error: unknown) => {
      await inWorkspace(({ read }) => read.rows(POSTPONE, [tenantId, instanceId].map(decodeId)));
      services.report(error, job.id);
    });
  }
  await inWorkspace((tx) => scheduleNext(tx, services, due));
}

type Transact = <Result>(work: (tx: WorkspaceTransaction) => Promise<Result>) => Promise<Result>;

function inTransaction<Result>(
  { em, tables }: TableServices,
  tenantId: string,
  job: RunningJob,
  work: (tx: WorkspaceTransaction) => Promise<Result>,
): Promise<Result> {
  return writeAsCaller(em, tables, systemCaller(tenantId), job.id, work);
}

async function selectDue({ read, caller: { tenantId } }: WorkspaceTransaction): Promise<readonly string[]> {
  const rows = await read.rows(SELECT_DUE, [decodeId(tenantId), tenantId]);
  return rows.map(([instance]) => encodeId(instance as string));
}

async function scheduleNext(
  { em, read, caller: { tenantId } }: WorkspaceTransaction,
  { jobs }: TableServices,
  due: readonly string[],
): Promise<void> {
  const [[next, isDue] = []] = await read.rows(SELECT_NEXT, [decodeId(tenantId)]);
  if (next == null) return;
  const isBusy = due.length === 0 && isDue === 't';
  await scheduleDueSyncs(jobs, em, tenantId, isBusy ? BUSY_SECONDS : new Date(Number(next)));
}
