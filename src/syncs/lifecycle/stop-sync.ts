import { recordTestOutcome } from '../../instances/credentials/record-test-outcome.js';
import { TenantConnectorInstance } from '../../instances/tenant-connector-instance.js';
import type { RunningJob } from '../../kernel/jobs/job-queue.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { systemCaller, type WorkspaceTransaction, writeAsCaller } from '../../tenancy/workspace-transaction.js';
import type { LoadedRun } from '../runs/load-run.js';
import { lockConnectionOfJob } from '../runs/lock-run.js';
import type { SyncServices } from '../runs/sync-services.js';
import type { TapReadError } from '../tap-read-error.js';
import { closeOpenRuns } from './close-tap-run.js';
import { endSyncJob } from './end-sync-job.js';

/**
 * Fails all open runs of a sync. If the vendor rejects the credential, saves this result for the credential, as a
 * credential test does.
 */
export async function stopSync(
  { tableServices }: SyncServices,
  { tenantId, jobId, instanceId }: LoadedRun,
  job: RunningJob,
  error: TapReadError,
): Promise<void> {
  const { em, tables } = tableServices;
  await writeAsCaller(em, tables, systemCaller(tenantId), job.id, async (tx) => {
    await lockConnectionOfJob(tx, jobId);
    const { errorClass, message: errorMessage } = error;
    await closeOpenRuns(tx, tableServices, jobId, { status: 'failed', errorClass, errorMessage });
    if (error.errorClass === 'credential') await rejectCredential(tx);
    await endSyncJob(tx, { jobId, instanceId });
  });

  async function rejectCredential(tx: WorkspaceTransaction): Promise<void> {
    const { credential } = (await tx.read.byId(TenantConnectorInstance, instanceId)) as Lean<TenantConnectorInstance>;
    if (!credential) return;
    const { message, status: httpStatus } = error;
    await recordTestOutcome(
      tx,
      tableServices.jobs,
      { tenantId, credentialId: credential, trigger: 'synced', claim: '' },
      { status: 'invalid', errorCode: 'auth_failed', message, ...(httpStatus !== undefined && { httpStatus }) },
    );
  }
}
