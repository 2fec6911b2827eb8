import { LockMode } from '@mikro-orm/core';
import { AppError } from '../kernel/errors.js';
import { Artifact } from './artifact.js';
import type { ArtifactContext } from './artifact-context.js';

/** Bytes that are set aside at once for a file of unknown length: as many as have come, within these. */
const STEP_BYTES = { least: 1024 * 1024, most: 16 * 1024 * 1024 };

/** What is set aside at first. */
export function initialReservation(announced: number | undefined, most: number): number {
  return Math.min(announced ?? STEP_BYTES.least, most);
}

/** Storage that is set aside for an upload under way, so that concurrent uploads stay within the quota together. */
export class UploadReservation {
  constructor(
    private readonly context: ArtifactContext,
    private readonly id: string,
    private reserved: number,
  ) {}

  /** Before the file grows to `length`. Throws STORAGE_QUOTA_EXCEEDED where there is no room for that. */
  readonly reserveUpTo = async (length: number): Promise<void> => {
    if (length <= this.reserved) return;
    const { write, storage, caller } = this.context;
    const step = Math.min(Math.max(length, STEP_BYTES.least), STEP_BYTES.most);
    this.reserved = await write(async ({ em, read }) => {
      const options = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
      const artifact = await em.findOne(Artifact, { id: this.id, uploadStatus: 'pending' }, options);
      if (!artifact) throw new AppError('CONFLICT', 'The upload was given up; upload the file again.');
      const missing = length - artifact.reservedBytes;
      const granted = await storage.reserve(read, caller.tenantId, 'files', missing, missing + step);
      const reservedBytes = artifact.reservedBytes + granted;
      await em.nativeUpdate(Artifact, { id: this.id }, { reservedBytes });
      return reservedBytes;
    });
  };
}
