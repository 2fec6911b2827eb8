import { recordTestOutcome } from '../../instances/credentials/record-test-outcome.js';
import { TenantConnectorInstance } from '../../instances/tenant-connector-instance.js';
import type { RunningJob } from '../../kernel/jobs/job-queue.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import type { LoadedRun } from '../runs/load-run.js';
import { writeWithLockedConnection } from '../runs/lock-run.js';
import type { SyncServices } from '../runs/sync-services.js';
import type { TapReadError } from '../tap-read-error.js';
import { closeOpenRuns } from './close-tap-run.js';
import { endSyncJob } from './end-sync-job.js';

/**
 * Fails all open tap runs of a sync. If the vendor rejects the credential, saves this result for the credential, as a
 * credential test does.
 */
export async function stopSync(
  { tableServices }: SyncServices,
  { tenantId, jobId, instanceId }: LoadedRun,
  job: RunningJob,
  error: TapReadError,
): Promise<void> {
  await writeWithLockedConnection(tableServices, { tenantId, jobId }, job.id, async (tx) => {
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
