import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '../kernel/errors.js';
import { storingFailed } from '../kernel/storing-failed.js';
import type { ArtifactContext } from './artifact-context.js';

/**
 * Keeps a file on the local disk until it is known what it is called, and resolves to a stream of it. The local file has no name, so closing it or
 * the end of the process removes it. Throws what `bytes` throws, and WA-AF-029 where the disk fails.
 */
export async function stageUpload(
  { artifacts, requestId }: ArtifactContext,
  folder: string,
  bytes: AsyncIterable<Buffer>,
): Promise<Readable> {
  try {
    return await keepUnnamed(join(folder, randomUUID()), bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    artifacts.report(storingFailed(error), requestId);
    throw new AppError('WA-AF-029', 'The file could not be stored, and nothing of it was kept.', { cause: error });
  }
}

async function keepUnnamed(path: string, bytes: AsyncIterable<Buffer>): Promise<Readable> {
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
