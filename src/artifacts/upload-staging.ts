import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '../kernel/errors.js';
import { toFileStoreError } from '../kernel/files/to-file-store-error.js';
import type { ArtifactContext } from './artifact-context.js';

/** Limit per process. It bounds the disk space of staged bytes, which do not count as used storage yet. */
export const MAX_STAGED_UPLOADS = 8;

const RETRY_AFTER_SECONDS = 5;

export class UploadStaging {
  #open = 0;

  constructor(private readonly folder: string) {}

  /**
   * For clients that send the file before the form part `data`. Stores `bytes` in a local file. Unlinks this file
   * immediately, so that the operating system deletes it when the stream or the process ends. Throws
   * TOO_MANY_REQUESTS if `MAX_STAGED_UPLOADS` uploads are staged, WA-AF-029 if the disk fails, and the errors of
   * `bytes`.
   */
  async stage({ artifacts, requestId }: ArtifactContext, bytes: AsyncIterable<Buffer>): Promise<Readable> {
    if (this.#open >= MAX_STAGED_UPLOADS) throw tooManyUploadsError();
    this.#open += 1;
    try {
      const staged = await writeUnnamed(join(this.folder, randomUUID()), bytes);
      return staged.once('close', () => {
        this.#open -= 1;
      });
    } catch (error) {
      this.#open -= 1;
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
      artifacts.reportError(toFileStoreError(error), requestId);
      throw new AppError('WA-AF-029', 'The service could not store the file. Try again later.', { cause: error });
    }
  }
}

async function writeUnnamed(path: string, bytes: AsyncIterable<Buffer>): Promise<Readable> {
  const handle = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    await handle.writeFile(bytes);
    return handle.createReadStream({ start: 0 });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function tooManyUploadsError(): AppError {
  const message = `Too many concurrent uploads have the file part before the data part (limit: ${MAX_STAGED_UPLOADS}). Send the data part first, or try again in ${RETRY_AFTER_SECONDS} s.`;
  return new AppError('TOO_MANY_REQUESTS', message, { retryAfter: RETRY_AFTER_SECONDS });
}
