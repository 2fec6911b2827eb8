import { AppError } from '../kernel/errors.js';
import type { Jobs } from '../kernel/jobs/jobs.js';
import { addStorageUsage } from '../tenancy/storage-quota.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import { scheduleArtifactCleanup } from './artifact-cleanup-job.js';
import { isArtifactPublished, lockArtifact } from './find-artifact.js';

declare module '../kernel/errors.js' {
  interface ErrorCodes {
    ARTIFACT_HAS_TAP: true;
  }
}

/** Days during which an operator can restore the bytes of a deleted file. */
export const RETENTION_DAYS = 30;

export async function deleteArtifact(tx: WorkspaceTransaction, jobs: Jobs, id: string): Promise<void> {
  const artifact = await lockArtifact(tx, id);
  if (await isArtifactPublished(tx, id))
    throw new AppError('ARTIFACT_HAS_TAP', 'A tap was published from the file. Delete the tap first.');
  const deletedAt = new Date();
  tx.update(artifact, { deletedAt });
  tx.recordAudit('artifact.deleted', artifact);
  const data = { tenantId: tx.caller.tenantId, artifactId: id };
  await scheduleArtifactCleanup(jobs, tx.em, data, RETENTION_DAYS * 86_400);
  await addStorageUsage(tx.em, tx.caller.tenantId, 'files', -artifact.fileSize);
}
