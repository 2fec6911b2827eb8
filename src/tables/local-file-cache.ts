import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileStore } from '../kernel/files/file-store.js';
import { toFileStoreError } from '../kernel/files/to-file-store-error.js';

/** A file of the store that never changes. */
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

/** Bytes of copies that are kept for whoever asks again; more only while they are read. */
const MAX_CACHED_BYTES = 512 * 2 ** 20;

/** Milliseconds for which they are kept. */
const IDLE_TTL_MS = 300_000;

/** Copies of files of the store on the local disk, where DuckDB can read them. */
export class LocalFileCache {
  /** By key, the one that was asked for longest ago first. */
  readonly #files = new Map<string, CachedFile>();
  readonly #folder: string;
  #sweep: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: FileStore,
    parent: string,
  ) {
    this.#folder = join(parent, `read-${randomUUID()}`);
  }

  /** Runs `work` with the paths of copies of these files, in their order, which stay until it has ended. Throws `FileNotFoundError` and `FileStoreError`. */
  async use<Result>(files: readonly StoredFile[], work: (paths: string[]) => Promise<Result>): Promise<Result> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw toFileStoreError(error);
    });
    const used = files.map((file) => this.#take(file));
    try {
      // One that still arrives must not be left alone where another one fails.
      await Promise.allSettled(used.map(({ downloaded: arrived }) => arrived));
      await Promise.all(used.map(({ downloaded: arrived }) => arrived));
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
    const known = this.#files.get(key);
    const file = known ?? this.#copy(key, bytes, join(this.#folder, randomUUID()));
    file.users += 1;
    this.#files.delete(key);
    this.#files.set(key, file);
    return file;
  }

  #copy(key: string, bytes: number, path: string): CachedFile {
    const downloaded = this.store.copyTo(key, path);
    const file = { path, bytes, downloaded, users: 0 };
    downloaded.catch(() => {
      if (this.#files.get(key) === file) this.#files.delete(key);
    });
    return file;
  }

  /** Chooses without a pause, so that nobody begins to use what goes. */
  async #trim(most: number): Promise<void> {
    let sum = [...this.#files.values()].reduce((total, { bytes }) => total + bytes, 0);
    const unused: string[] = [];
    for (const [key, { path, bytes, users }] of this.#files) {
      if (sum <= most || users > 0) continue;
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
