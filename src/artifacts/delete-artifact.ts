import { AppError } from '../kernel/errors.js';
import type { Jobs } from '../kernel/jobs.js';
import { countStorage } from '../tenancy/storage-quota.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import { scheduleCleanup } from './artifact-cleanup-job.js';
import { isPublished, lockArtifact } from './existing-artifact.js';

/** Days for which the bytes of a deleted file are kept, for whoever runs the service to bring one back. */
export const KEPT_DAYS = 30;

/** The file leaves every list and the used storage; the cleanup job destroys its bytes `KEPT_DAYS` later. */
export async function deleteArtifact(tx: WorkspaceTransaction, jobs: Jobs, id: string): Promise<void> {
  const artifact = await lockArtifact(tx, id);
  if (await isPublished(tx, id))
    throw new AppError('ARTIFACT_HAS_TAP', 'A tap was published from the file; delete the tap first.');
  const deletedAt = new Date();
  tx.change(artifact, { deletedAt });
  tx.record('artifact.deleted', artifact);
  const data = { tenantId: tx.caller.tenantId, artifactId: id };
  await scheduleCleanup(jobs, tx.em, data, KEPT_DAYS * 86_400);
  await countStorage(tx.read, tx.caller.tenantId, 'files', -artifact.fileSize);
}
