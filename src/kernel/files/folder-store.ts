import { randomUUID } from 'node:crypto';
import { constants, copyFile, type FileHandle, link, mkdir, open, readdir, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { FileNotFoundError, type FileStore, requireFileKey } from './file-store.js';
import { rechunk } from './rechunk.js';
import { toFileStoreError, wrapStoreErrors } from './to-file-store-error.js';

/** Bytes that are written or read at once. */
const BLOCK_BYTES = 256 * 1024;

/** Files that are not whole yet: on the same file system, and apart, so that those of a key are found among few. No key starts with a dot. */
const PARTS_FOLDER = '.parts';

/** Says that there is no such file: a part of the path is missing, is a file, or all of it is a folder. */
const MISSING_CODES = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

/** Keeps files in a folder of a local or mounted file system. It has to know hard links and to sync folders. */
export class FolderStore implements FileStore {
  readonly #parts: string;

  private constructor(private readonly folder: string) {
    this.#parts = join(folder, PARTS_FOLDER);
  }

  /** Makes the folder, and proves that files can be kept there. Throws `FileStoreError`. */
  static async open(folder: string): Promise<FolderStore> {
    const store = new FolderStore(folder);
    await onDisk(async () => {
      await mkdir(dirname(folder), { recursive: true });
      for (const path of [folder, store.#parts]) await makeFolder(path);
    });
    const key = `probe/${randomUUID()}`;
    await store.put(key, probe());
    await store.delete(key);
    return store;
  }

  /** A file gets its name when it is whole and on the disk, by a link, which unlike a rename never replaces another one. */
  async put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const target = this.#pathOf(key);
    const part = join(this.#parts, `${partsOf(key)}${randomUUID()}`);
    try {
      await writeDurably(part, bytes);
      await onDisk(() => this.#name(part, target));
    } finally {
      // A part that cannot be removed now goes with the next `delete` of the key.
      await rm(part, { force: true }).catch(() => undefined);
    }
  }

  async readHead(key: string, length: number): Promise<Buffer> {
    const file = await this.#read(key);
    try {
      const head = Buffer.alloc(Math.min(length, (await onDisk(() => file.stat())).size));
      let filled = 0;
      for (let read = 1; read > 0 && filled < head.length; filled += read)
        read = (await onDisk(() => file.read(head, filled))).bytesRead;
      return head.subarray(0, filled);
    } finally {
      await file.close();
    }
  }

  async open(key: string): Promise<Readable> {
    return wrapStoreErrors((await this.#read(key)).createReadStream({ highWaterMark: BLOCK_BYTES }));
  }

  /** A name more for the same file, or a copy where the other file system is another one, or lets files have one name only. */
  async copyTo(key: string, path: string): Promise<void> {
    const source = this.#pathOf(key);
    await (await this.#read(key)).close();
    await onDisk(() => link(source, path).catch(() => copyFile(source, path, constants.COPYFILE_EXCL)));
  }

  async sizeOf(key: string): Promise<number | undefined> {
    const found = await this.#unlessMissing(stat(this.#pathOf(key)));
    return found?.isFile() ? found.size : undefined;
  }

  async delete(key: string): Promise<void> {
    const target = this.#pathOf(key);
    await onDisk(async () => {
      const parts = (await readdir(this.#parts)).filter((name) => name.startsWith(partsOf(key)));
      for (const name of parts) await rm(join(this.#parts, name), { force: true });
      await this.#unlessMissing(unlink(target).then(() => syncFolder(dirname(target))));
    });
  }

  async #name(part: string, target: string): Promise<void> {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await link(part, target);
    try {
      // Each folder may be new, whoever has made it.
      const end = dirname(this.folder);
      for (let folder = dirname(target); folder !== end; folder = dirname(folder)) await syncFolder(folder);
    } catch (error) {
      await rm(target, { force: true });
      throw error;
    }
  }

  async #read(key: string): Promise<FileHandle> {
    const file = await this.#unlessMissing(open(this.#pathOf(key)));
    if (file && (await onDisk(() => file.stat())).isFile()) return file;
    await file?.close();
    throw new FileNotFoundError(key);
  }

  /** Undefined where there is nothing under a key; where the store as a whole is missing, such as a file system that is not mounted, it has failed. */
  #unlessMissing<Result>(work: Promise<Result>): Promise<Result | undefined> {
    return onDisk(() =>
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

/** Unless it is there: then the one around it may be closed to us. With `recursive`, mkdir would say ENOENT of a file system that is read-only. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
    await syncFolder(dirname(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

async function* probe(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('files can be kept here\n');
}

/** How the names of all parts of a key start, and of no other one. */
function partsOf(key: string): string {
  return `${key.replaceAll('/', '~')}=`;
}

/** What `bytes` itself throws stays as it is; what the disk throws is a `FileStoreError`. */
async function writeDurably(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await onDisk(() => open(path, 'wx', 0o600));
  try {
    // Unlike `write`, `appendFile` goes on where the system has taken a part only, and so learns that the disk is full.
    for await (const block of rechunk(bytes, BLOCK_BYTES)) await onDisk(() => file.appendFile(block));
    await onDisk(() => file.sync());
  } finally {
    await onDisk(() => file.close());
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

async function onDisk<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toFileStoreError(error);
  }
}
