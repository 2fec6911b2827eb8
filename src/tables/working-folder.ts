import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { toFileStoreError } from '../kernel/files/to-file-store-error.js';

/** Runs `work` with a new folder in `parent`. Deletes the folder afterwards. Throws `FileStoreError`. */
export async function withWorkingFolder<Result>(
  parent: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = join(parent, randomUUID());
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    throw toFileStoreError(error);
  });
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
