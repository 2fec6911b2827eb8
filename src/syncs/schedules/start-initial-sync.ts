import type { ValidCredentialData } from '../../instances/credentials/valid-credential-job.js';
import { findInstance, lockInstance } from '../../instances/find-instance.js';
import type { RunningJob } from '../../kernel/jobs/job-queue.js';
import { systemCaller, writeAsCaller } from '../../tenancy/workspace-transaction.js';
import { startSync } from '../lifecycle/start-sync.js';
import type { SyncServices } from '../runs/sync-services.js';
import { ensureDefaultSchedule } from './set-sync-schedule.js';
import { unlessImpossible } from './start-due-sync.js';

/** Does nothing if the connection already has a schedule or is deleted, or if initial syncs are disabled. */
export async function startInitialSync(
  { tableServices, startsInitialSync }: SyncServices,
  { tenantId, instanceId }: ValidCredentialData,
  job: RunningJob,
): Promise<void> {
  const { em, tables, jobs } = tableServices;
  if (!startsInitialSync) return;
  await writeAsCaller(em, tables, systemCaller(tenantId), job.id, async (tx) => {
    if (!(await findInstance(tx.read, instanceId))) return;
    const isFirst = await ensureDefaultSchedule(tx, jobs, await lockInstance(tx, instanceId));
    if (isFirst) await unlessImpossible(startSync(tx, tableServices, instanceId, { trigger: 'initial' }));
  });
}
