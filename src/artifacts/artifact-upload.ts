import { LockMode } from '@mikro-orm/core';
import { AppError } from '../kernel/errors.js';
import { requireStillAllowed } from '../tenancy/require-still-allowed.js';
import { Artifact } from './artifact.js';
import { scheduleCleanup } from './artifact-cleanup-job.js';
import type { ArtifactContext } from './artifact-context.js';
import { artifactKey } from './artifact-key.js';

/** Seconds for which an upload is believed to go on after its process was last heard of. */
const LEASE = 60;

/** The row of an upload, and in the same transaction the job that clears it away should this process be lost. */
export function beginUpload(
  { write, artifacts, caller }: ArtifactContext,
  values: Pick<Artifact, 'fileName' | 'fileType'> &
    Partial<Pick<Artifact, 'dataSchema'>> & { path: string | undefined },
): Promise<string> {
  const { path, ...others } = values;
  return write(async (tx) => {
    const artifact = tx.create(Artifact, { ...others, ...(path && { path }), uploadingUntil: leaseEnd() });
    const data = { tenantId: caller.tenantId, artifactId: artifact.id };
    await scheduleCleanup(artifacts.jobs, tx.em, data, LEASE + 5);
    return artifact.id;
  });
}

/** Says now and then that the upload still goes on. That nobody could be told is no reason to give it up: its end will tell. */
export async function whileUploading<Result>(
  { write }: ArtifactContext,
  id: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const extend = (): Promise<unknown> =>
    write(({ em }) => em.nativeUpdate(Artifact, { id, uploadStatus: 'pending' }, { uploadingUntil: leaseEnd() })).catch(
      () => undefined,
    );
  const timer = setInterval(extend, (LEASE * 1_000) / 3);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/**
 * From here on the file is there for all. Throws CONFLICT where it was given up or deleted meanwhile, and FORBIDDEN where the caller may upload no longer:
 * a file may take an hour to arrive.
 */
export async function finishUpload(
  { write }: ArtifactContext,
  id: string,
  measures: Pick<Artifact, 'fileSize'> & { sha256: string; headSha256: string },
): Promise<void> {
  await write(async (tx) => {
    await requireStillAllowed(tx, 'artifacts:write');
    const options = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
    const artifact = await tx.em.findOne(Artifact, { id, uploadStatus: 'pending', deletedAt: null }, options);
    if (!artifact)
      throw new AppError('CONFLICT', 'The upload was given up or its file deleted meanwhile; upload it again.');
    tx.change(artifact, { ...measures, uploadStatus: 'ready', uploadingUntil: null as never });
    const { fileName, fileType, fileSize } = artifact;
    tx.record('artifact.uploaded', artifact, { fileName, fileType, fileSize });
  });
}

/**
 * The row goes first, and the bytes where none is left: the end of an upload may have been committed though nobody could be told, and the cleanup may
 * have taken the row away already. Where the database or the store is away, the cleanup job finds what is left.
 */
export async function giveUpUpload(context: ArtifactContext, id: string): Promise<'given up' | 'ready'> {
  const { write, artifacts, caller, requestId } = context;
  try {
    const isReady = await write(async ({ em }) => {
      await em.nativeDelete(Artifact, { id, uploadStatus: { $ne: 'ready' } });
      return (await em.count(Artifact, { id })) > 0;
    });
    if (isReady) return 'ready';
    await artifacts.store.delete(artifactKey(caller.tenantId, id));
  } catch (error) {
    artifacts.report(error, requestId);
  }
  return 'given up';
}

function leaseEnd(): Date {
  return new Date(Date.now() + LEASE * 1_000);
}
