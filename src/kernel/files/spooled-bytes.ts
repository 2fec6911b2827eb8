import { createHash, type Hash, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { reportReleasedBytes } from './minor-gc.js';
import { releaseBuffer } from './release-buffer.js';
import { toFileStoreError } from './to-file-store-error.js';

/**
 * `spoolBytes` joins the chunks when it has collected this number. Otherwise a body that arrives byte by byte would
 * take a hundred times its size in memory.
 */
const MAX_CHUNKS = 1_024;

/** Bytes that several readers can read. They are in memory up to a maximum size, and otherwise in a temporary file. */
export interface SpooledBytes {
  readonly size: number;
  /** SHA-1 of all bytes, in base64. */
  readonly digest: string;
  /** Includes the byte at `start`, but not the byte at `end`. Throws `FileStoreError`. */
  read(start: number, end: number): Promise<Buffer>;
  /** Throws `FileStoreError`. */
  chunks(chunkBytes: number): AsyncIterable<Buffer>;
  /**
   * Releases the memory and the file. The caller must call `discard` when it no longer needs the bytes. Repeated calls
   * have no effect.
   */
  discard(): Promise<void>;
}

export interface SpoolLimits {
  /** Folder of the temporary file. The file has no name while the process uses it, and cannot outlive the process. */
  readonly folder: string;
  readonly memoryBytes: number;
  /** Called after the first `2 * memoryBytes` bytes, and then each time after at least `memoryBytes` more bytes. */
  readonly onProgress?: () => void;
}

/** Throws `FileStoreError` and the errors of `source`. After an error, the caller has nothing to discard. */
export async function spoolBytes(
  source: AsyncIterable<Uint8Array>,
  { folder, memoryBytes, onProgress }: SpoolLimits,
): Promise<SpooledBytes> {
  const hash = createHash('sha1');
  const chunks: Uint8Array[] = [];
  let size = 0;
  let file: SpoolFile | undefined;
  let reported = memoryBytes;
  try {
    for await (const chunk of source) {
      size += chunk.length;
      if (chunks.push(chunk) === MAX_CHUNKS) chunks.splice(0, MAX_CHUNKS, Buffer.concat(chunks));
      if (size <= memoryBytes) continue;
      file ??= await SpoolFile.create(folder);
      await file.write(chunks.splice(0), hash);
      if (size - reported < memoryBytes) continue;
      reported = size;
      onProgress?.();
    }
  } catch (error) {
    await file?.discard();
    throw error;
  }
  if (file) return file.end(size, hash);
  const bytes = Buffer.concat(chunks);
  reportReleasedBytes(size);
  return spooledInMemory(bytes);
}

/** `discard` frees the memory of `bytes`. */
export function spooledInMemory(bytes: Buffer): SpooledBytes {
  return {
    size: bytes.length,
    get digest() {
      return createHash('sha1').update(bytes).digest('base64');
    },
    read: async (start, end) => bytes.subarray(start, end),
    async *chunks(chunkBytes) {
      for (let from = 0; from < bytes.length; from += chunkBytes) yield bytes.subarray(from, from + chunkBytes);
    },
    discard: async () => releaseBuffer(bytes),
  };
}

class SpoolFile {
  private constructor(private readonly handle: FileHandle) {}

  static async create(folder: string): Promise<SpoolFile> {
    const path = join(folder, `spooled-${randomUUID()}`);
    try {
      const handle = await open(path, 'wx+', 0o600);
      await unlink(path);
      return new SpoolFile(handle);
    } catch (error) {
      throw toFileStoreError(error);
    }
  }

  async write(chunks: readonly Uint8Array[], hash: Hash): Promise<void> {
    for (const chunk of chunks) hash.update(chunk);
    const { bytesWritten } = await this.handle.writev(chunks).catch(fail);
    reportReleasedBytes(bytesWritten);
  }

  end(size: number, hash: Hash): SpooledBytes {
    const read = async (start: number, end: number): Promise<Buffer> => {
      const length = Math.min(end, size) - start;
      const { bytesRead, buffer } = await this.handle.read(Buffer.allocUnsafe(length), 0, length, start).catch(fail);
      if (bytesRead < length)
        throw toFileStoreError(new Error(`the temporary file ended after ${bytesRead} of ${length} bytes`));
      reportReleasedBytes(bytesRead); // Callers no longer use the buffers of earlier reads.
      return buffer;
    };
    return {
      ...{ size, read, digest: hash.digest('base64'), discard: () => this.discard() },
      async *chunks(chunkBytes) {
        for (let from = 0; from < size; from += chunkBytes) yield read(from, from + chunkBytes);
      },
    };
  }

  async discard(): Promise<void> {
    await this.handle.close().catch(() => undefined);
  }
}

function fail(error: unknown): never {
  throw toFileStoreError(error);
}
