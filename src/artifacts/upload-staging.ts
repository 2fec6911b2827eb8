import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '../kernel/errors.js';
import { toFileStoreError } from '../kernel/files/to-file-store-error.js';
import type { ArtifactContext } from './artifact-context.js';

/** Files that a process stages at once. Their bytes are not counted as used storage yet, so their number bounds the disk that they take. */
export const MAX_STAGED_UPLOADS = 8;

const RETRY_AFTER_SECONDS = 5;

/** Uploads whose file comes before `data`. */
export class UploadStaging {
  #open = 0;

  constructor(private readonly folder: string) {}

  /**
   * Keeps a file on the local disk until `data` has arrived, and resolves to a stream of it. The local file has no name, so closing it or
   * the end of the process removes it. Throws TOO_MANY_REQUESTS while `MAX_STAGED_UPLOADS` others are open, what `bytes` throws, and WA-AF-029 where the disk
   * fails.
   */
  async stage({ artifacts, requestId }: ArtifactContext, bytes: AsyncIterable<Buffer>): Promise<Readable> {
    if (this.#open >= MAX_STAGED_UPLOADS) throw tooMany();
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
      throw new AppError('WA-AF-029', 'The file could not be stored, and nothing of it was kept.', { cause: error });
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

function tooMany(): AppError {
  const sentence = `${MAX_STAGED_UPLOADS} uploads with the file before data are under way; send data first, or try again in ${RETRY_AFTER_SECONDS} s.`;
  return new AppError('TOO_MANY_REQUESTS', sentence, { retryAfter: RETRY_AFTER_SECONDS });
}
