import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileStore } from '../kernel/files/file-store.js';
import { toFileStoreError } from '../kernel/files/to-file-store-error.js';

/** An immutable file in the store. */
export interface StoredFile {
  readonly key: string;
  readonly bytes: number;
}

interface CachedFile {
  readonly path: string;
  readonly bytes: number;
  readonly downloaded: Promise<void>;
  users: number;
}

/** Files in use can exceed the maximum. */
const MAX_CACHED_BYTES = 512 * 2 ** 20;

/** Time without use after which the cache removes all files. */
const IDLE_TTL_MS = 300_000;

/** Local copies of files in the store, because DuckDB reads only local files. */
export class LocalFileCache {
  /** Cached files by key, least recently used first. */
  readonly #files = new Map<string, CachedFile>();
  readonly #folder: string;
  #sweep: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: FileStore,
    parent: string,
  ) {
    this.#folder = join(parent, `read-${randomUUID()}`);
  }

  /**
   * Runs `work` with the paths of the local copies, in the order of `files`. The copies exist until `work` ends.
   * Throws `FileNotFoundError` and `FileStoreError`.
   */
  async use<Result>(files: readonly StoredFile[], work: (paths: string[]) => Promise<Result>): Promise<Result> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw toFileStoreError(error);
    });
    const used = files.map((file) => this.#take(file));
    try {
      // All downloads must end, even if one of them fails, because a running download must not outlive the call.
      await Promise.allSettled(used.map(({ downloaded }) => downloaded));
      await Promise.all(used.map(({ downloaded }) => downloaded));
      return await work(used.map(({ path }) => path));
    } finally {
      for (const file of used) file.users -= 1;
      await this.#trim(MAX_CACHED_BYTES);
      this.#sweepLater();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#sweep);
    await rm(this.#folder, { recursive: true, force: true });
  }

  #take({ key, bytes }: StoredFile): CachedFile {
    const cached = this.#files.get(key);
    const file = cached ?? this.#download(key, bytes, join(this.#folder, randomUUID()));
    file.users += 1;
    this.#files.delete(key);
    this.#files.set(key, file);
    return file;
  }

  #download(key: string, bytes: number, path: string): CachedFile {
    const downloaded = this.store.copyTo(key, path);
    const file = { path, bytes, downloaded, users: 0 };
    downloaded.catch(() => {
      if (this.#files.get(key) === file) this.#files.delete(key);
    });
    return file;
  }

  /**
   * Removes unused files until the cache is within `maxBytes`. Selects the files synchronously, so that no other call
   * can start to use a selected file.
   */
  async #trim(maxBytes: number): Promise<void> {
    let sum = [...this.#files.values()].reduce((total, { bytes }) => total + bytes, 0);
    const unused: string[] = [];
    for (const [key, { path, bytes, users }] of this.#files) {
      if (sum <= maxBytes || users > 0) continue;
      this.#files.delete(key);
      sum -= bytes;
      unused.push(path);
    }
    await Promise.all(unused.map((path) => rm(path, { force: true })));
  }

  #sweepLater(): void {
    clearTimeout(this.#sweep);
    this.#sweep = setTimeout(() => this.#trim(0).catch(() => undefined), IDLE_TTL_MS).unref();
  }
}
