import { LockMode } from '@mikro-orm/core';
import { keepRenewed, leaseEnd } from '../kernel/concurrency/lease.js';
import { AppError } from '../kernel/errors.js';
import { recheckPermission } from '../tenancy/authentication/recheck-permission.js';
import { addStorageUsage } from '../tenancy/storage-quota.js';
import { Artifact } from './artifact.js';
import { scheduleArtifactCleanup } from './artifact-cleanup-job.js';
import type { ArtifactContext } from './artifact-context.js';
import { artifactKey } from './artifact-key.js';
import { initialReservation } from './upload-reservation.js';

/** If the process has not extended the lease for this time, the upload counts as lost. */
const UPLOAD_LEASE_SECONDS = 60;

/**
 * In one transaction, inserts the row and enqueues a job that removes the row if this process dies. `length` is the
 * Content-Length of the request.
 */
export function beginUpload(
  { write, artifacts, storage, caller }: ArtifactContext,
  values: Pick<Artifact, 'fileName' | 'fileType'> &
    Partial<Pick<Artifact, 'dataSchema'>> & { path: string | undefined },
  length: number | undefined,
): Promise<Pick<Artifact, 'id' | 'reservedBytes'>> {
  const { path, ...others } = values;
  return write(async (tx) => {
    const { tenantId } = caller;
    const uploadingUntil = leaseEnd(UPLOAD_LEASE_SECONDS);
    const artifact = tx.create(Artifact, { ...others, ...(path && { path }), uploadingUntil });
    await scheduleArtifactCleanup(
      artifacts.jobs,
      tx.em,
      { tenantId, artifactId: artifact.id },
      UPLOAD_LEASE_SECONDS + 5,
    );
    const wanted = initialReservation(length, artifacts.maxBytes);
    artifact.reservedBytes = await storage.reserve(tx, tenantId, 'files', 1, wanted);
    return artifact;
  });
}

/** Ignores failed extensions of the lease, because `finishUpload` detects a lost lease. */
export function withUploadLease<Result>(
  { write }: ArtifactContext,
  id: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const renew = async (): Promise<boolean> => {
    const uploadingUntil = leaseEnd(UPLOAD_LEASE_SECONDS);
    await write(({ em }) => em.nativeUpdate(Artifact, { id, uploadStatus: 'pending' }, { uploadingUntil }));
    return true;
  };
  return keepRenewed({ lifeSeconds: UPLOAD_LEASE_SECONDS, acquiredAt: performance.now(), renew }, work);
}

/**
 * Makes the file visible. Throws CONFLICT if the upload was aborted or the file deleted. An upload may take an hour, so
 * the function checks the permission again and throws FORBIDDEN if the caller has lost it.
 */
export async function finishUpload(
  { write }: ArtifactContext,
  id: string,
  measures: Pick<Artifact, 'fileSize'> & { sha256: string; headSha256: string },
): Promise<void> {
  await write(async (tx) => {
    await recheckPermission(tx, 'artifacts:write');
    const options = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
    const artifact = await tx.em.findOne(Artifact, { id, uploadStatus: 'pending', deletedAt: null }, options);
    if (!artifact)
      throw new AppError('CONFLICT', 'The upload was aborted, or its file was deleted. Upload the file again.');
    const { reservedBytes } = artifact;
    tx.update(artifact, { ...measures, reservedBytes: 0, uploadStatus: 'ready', uploadingUntil: null as never });
    const { fileName, fileType, fileSize } = artifact;
    tx.recordAudit('artifact.uploaded', artifact, { fileName, fileType, fileSize });
    await addStorageUsage(tx.em, tx.caller.tenantId, 'files', fileSize - reservedBytes);
  });
}

/**
 * Deletes the row, then the bytes. If the upload was committed and only the confirmation was lost, keeps both and
 * returns `ready`. If the database or the store fails, the cleanup job deletes the row and the bytes later.
 */
export async function abortUpload(context: ArtifactContext, id: string): Promise<'aborted' | 'ready'> {
  const { write, artifacts, caller, requestId } = context;
  try {
    const isReady = await write(async ({ em }) => {
      const artifact = await em.findOne(Artifact, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!artifact || artifact.uploadStatus === 'ready') return artifact !== null;
      await em.nativeDelete(Artifact, { id });
      await addStorageUsage(em, caller.tenantId, 'files', -artifact.reservedBytes);
      return false;
    });
    if (isReady) return 'ready';
    await artifacts.store.delete(artifactKey(caller.tenantId, id));
  } catch (error) {
    artifacts.reportError(error, requestId);
  }
  return 'aborted';
}
