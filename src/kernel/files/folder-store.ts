import { randomUUID } from 'node:crypto';
import { constants, copyFile, type FileHandle, link, mkdir, open, readdir, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { FileNotFoundError, type FileStore, requireFileKey } from './file-store.js';
import { rechunk } from './rechunk.js';
import { toFileStoreError, wrapStoreErrors } from './to-file-store-error.js';

const BLOCK_BYTES = 256 * 1024;

/**
 * Incomplete files are on the same file system, so a link can publish a complete file. They are in a separate folder,
 * so a search for the incomplete files of a key is fast. No key starts with a dot, so no key is in this folder.
 */
const PARTS_FOLDER = '.parts';

/** Limits the memory for the paths of folders on which the store has called fsync. */
const MAX_DURABLE_FOLDERS = 10_000;

/** Error codes for a path without a file: the path does not exist, a parent is a file, or the path is a folder. */
const MISSING_CODES = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

/**
 * Stores files in a folder of a local or mounted file system, which must support hard links and the syncing of folders.
 */
export class FolderStore implements FileStore {
  readonly #parts: string;
  /**
   * Folders that survive a power failure: the service has called fsync for all their parents, up to the folder of the
   * store.
   */
  readonly #durable = new Set<string>();

  private constructor(private readonly folder: string) {
    this.#parts = join(folder, PARTS_FOLDER);
  }

  /** Creates the folder and checks that it is writable. Throws `FileStoreError`. */
  static async open(folder: string): Promise<FolderStore> {
    const store = new FolderStore(folder);
    await withStoreErrors(async () => {
      await mkdir(dirname(folder), { recursive: true });
      for (const path of [folder, store.#parts]) await makeFolder(path);
    });
    const key = `probe/${randomUUID()}`;
    await store.put(key, probe());
    await store.delete(key);
    return store;
  }

  /**
   * Links the file to its name after all bytes are written and synced. Unlike a rename, a link never replaces an
   * existing file.
   */
  async put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const target = this.#pathOf(key);
    const part = join(this.#parts, `${partsOf(key)}${randomUUID()}`);
    try {
      await writeDurably(part, bytes);
      await withStoreErrors(() => this.#name(part, target));
    } finally {
      // If this call fails, the next `delete` of the key removes the part.
      await unlink(part).catch(() => undefined);
    }
  }

  async readHead(key: string, length: number): Promise<Buffer> {
    const file = await this.#read(key);
    try {
      const head = Buffer.alloc(Math.min(length, (await withStoreErrors(() => file.stat())).size));
      let filled = 0;
      for (let read = 1; read > 0 && filled < head.length; filled += read)
        read = (await withStoreErrors(() => file.read(head, filled))).bytesRead;
      return head.subarray(0, filled);
    } finally {
      await file.close();
    }
  }

  async open(key: string): Promise<Readable> {
    return wrapStoreErrors((await this.#read(key)).createReadStream({ highWaterMark: BLOCK_BYTES }));
  }

  /**
   * Creates a hard link. If the link fails, for example because `path` is on another file system, creates a copy.
   */
  async copyTo(key: string, path: string): Promise<void> {
    const source = this.#pathOf(key);
    await (await this.#read(key)).close();
    await withStoreErrors(() => link(source, path).catch(() => copyFile(source, path, constants.COPYFILE_EXCL)));
  }

  async sizeOf(key: string): Promise<number | undefined> {
    const found = await this.#unlessMissing(stat(this.#pathOf(key)));
    return found?.isFile() ? found.size : undefined;
  }

  async delete(key: string): Promise<void> {
    const target = this.#pathOf(key);
    await withStoreErrors(async () => {
      const parts = (await readdir(this.#parts)).filter((name) => name.startsWith(partsOf(key)));
      for (const name of parts) await rm(join(this.#parts, name), { force: true });
      await this.#unlessMissing(unlink(target).then(() => syncFolder(dirname(target))));
    });
  }

  urlOf(): undefined {
    return undefined;
  }

  async #name(part: string, target: string): Promise<void> {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await link(part, target);
    try {
      await this.#syncFolders(dirname(target));
    } catch (error) {
      await rm(target, { force: true });
      throw error;
    }
  }

  /**
   * Calls fsync for the folder and its parents. Another process may have created them, but not called fsync yet. Stops
   * after the first folder for which this process has called fsync before.
   */
  async #syncFolders(path: string): Promise<void> {
    await syncFolder(path);
    if (this.#durable.has(path)) return;
    const end = dirname(this.folder);
    for (let folder = dirname(path); folder !== end; folder = dirname(folder)) {
      await syncFolder(folder);
      if (this.#durable.has(folder)) break;
    }
    if (this.#durable.size >= MAX_DURABLE_FOLDERS) this.#durable.clear();
    for (let folder = path; folder !== end; folder = dirname(folder)) this.#durable.add(folder);
  }

  async #read(key: string): Promise<FileHandle> {
    const file = await this.#unlessMissing(open(this.#pathOf(key)));
    if (file && (await withStoreErrors(() => file.stat())).isFile()) return file;
    await file?.close();
    throw new FileNotFoundError(key);
  }

  /**
   * Returns undefined if the key does not exist. Throws if the folder of the store is missing, for example because its
   * file system is not mounted.
   */
  #unlessMissing<Result>(work: Promise<Result>): Promise<Result | undefined> {
    return withStoreErrors(() =>
      work.catch(async (error: NodeJS.ErrnoException) => {
        if (!MISSING_CODES.has(error.code ?? '')) throw error;
        await stat(this.#parts);
        return undefined;
      }),
    );
  }

  #pathOf(key: string): string {
    requireFileKey(key);
    return join(this.folder, key);
  }
}

/**
 * Does not sync the parent of an existing folder, because the parent may be inaccessible. Does not set `recursive`,
 * because mkdir would then report ENOENT for a read-only file system.
 */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
    await syncFolder(dirname(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

async function* probe(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('write test\n');
}

/** Returns the prefix that all incomplete files with this key have in their names. Each key has a different prefix. */
function partsOf(key: string): string {
  return `${key.replaceAll('/', '~')}=`;
}

/** Rethrows errors of `bytes` unchanged. Throws `FileStoreError` if the disk fails. */
async function writeDurably(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await withStoreErrors(() => open(path, 'wx', 0o600));
  try {
    // Unlike `write`, `appendFile` continues after a short write, and therefore reports a full disk.
    for await (const block of rechunk(bytes, BLOCK_BYTES)) await withStoreErrors(() => file.appendFile(block));
    await withStoreErrors(() => file.sync());
  } finally {
    await withStoreErrors(() => file.close());
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function withStoreErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toFileStoreError(error);
  }
}
