import { LockMode } from '@mikro-orm/core';
import { AppError } from '../kernel/errors.js';
import { Artifact } from './artifact.js';
import type { ArtifactContext } from './artifact-context.js';

/** The service reserves storage in steps. A step is as large as the received part of the file, within these limits. */
const MIN_STEP_BYTES = 1024 * 1024;
const MAX_STEP_BYTES = 16 * 1024 * 1024;

export function initialReservation(contentLength: number | undefined, maxBytes: number): number {
  return Math.min(contentLength ?? MIN_STEP_BYTES, maxBytes);
}

/** Reserves storage for an upload in progress, so that concurrent uploads together stay within the quota. */
export class UploadReservation {
  constructor(
    private readonly context: ArtifactContext,
    private readonly id: string,
    private reserved: number,
  ) {}

  /**
   * The caller must call this function before the file grows to `length`. Throws STORAGE_QUOTA_EXCEEDED if the quota
   * has no room, and CONFLICT if the upload was aborted.
   */
  readonly reserveUpTo = async (length: number): Promise<void> => {
    if (length <= this.reserved) return;
    const { write, storage, caller } = this.context;
    const step = Math.min(Math.max(length, MIN_STEP_BYTES), MAX_STEP_BYTES);
    this.reserved = await write(async ({ em, read }) => {
      const options = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
      const artifact = await em.findOne(Artifact, { id: this.id, uploadStatus: 'pending' }, options);
      if (!artifact) throw new AppError('CONFLICT', 'The upload was aborted. Upload the file again.');
      const missing = length - artifact.reservedBytes;
      const granted = await storage.reserve({ em, read }, caller.tenantId, 'files', missing, missing + step);
      const reservedBytes = artifact.reservedBytes + granted;
      await em.nativeUpdate(Artifact, { id: this.id }, { reservedBytes });
      return reservedBytes;
    });
  };
}
