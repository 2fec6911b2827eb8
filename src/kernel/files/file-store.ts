import type { Readable } from 'node:stream';

/**
 * Where the bytes of files are kept. A key is made by the service alone: names of ASCII letters, digits, `-`, `_` and `.` that start with a letter
 * or digit, with `/` between them, 200 characters at the most. Nothing of it was chosen by a user, and no key is the start of another up to a `/`.
 * What is kept under a key never changes.
 */
export interface FileStore {
  /**
   * Keeps all that `bytes` yields, in constant memory. Resolves when it is durable: a crash afterwards loses none of it. Where it rejects, be it
   * that `bytes` itself throws, nothing stays under the key, as far as the store can still be reached; a key that is taken is refused (EEXIST), and
   * what is there stays. Whether `bytes` was read to its end then is open: who made it lets go of it. Throws `FileStoreError` where the store is at
   * fault: it is full, away, or broken.
   */
  put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** The first `length` bytes, or fewer where there are not as many. Throws `FileNotFoundError` and `FileStoreError`. */
  readHead(key: string, length: number): Promise<Buffer>;
  /** All bytes, in order. Throws `FileNotFoundError` before the first one, and `FileStoreError`, as the stream does. Who gives up reading destroys it. */
  open(key: string): Promise<Readable>;
  /**
   * The bytes as a local file at `path`, where there is none yet, for whoever can read nothing else; it may be the very file of the store, so it is never
   * written to. Throws `FileNotFoundError` and `FileStoreError`, also where `path` cannot be written; what is at `path` then is for the caller to remove.
   */
  copyTo(key: string, path: string): Promise<void>;
  /** In bytes; undefined where there is nothing under the key. Throws `FileStoreError`. */
  sizeOf(key: string): Promise<number | undefined>;
  /** Whatever a `put` under the key has left, also one that was killed. No failure where there is nothing. Throws `FileStoreError`. */
  delete(key: string): Promise<void>;
}

/** There is nothing under a key that was kept once. */
export class FileNotFoundError extends Error {
  override readonly name = 'FileNotFoundError';

  constructor(
    readonly key: string,
    options?: { cause: unknown },
  ) {
    super(`There is no file ${key}.`, options);
  }
}

/** The store did not keep, or cannot give, what was asked of it. */
export class FileStoreError extends Error {
  override readonly name = 'FileStoreError';

  constructor(
    /** That of the operating system or the store, such as ENOSPC. */
    readonly code: string | undefined,
    options: { cause: unknown },
  ) {
    super(`The file store failed (${code ?? 'unknown'}).`, options);
  }
}

const KEY = /^(?=.{1,200}$)[A-Za-z0-9][\w.-]*(\/[A-Za-z0-9][\w.-]*)*$/;

/** Keys are ours, so another one is a mistake in the program: it must not get as far as a path. */
export function requireFileKey(key: string): void {
  if (!KEY.test(key)) throw new TypeError('this is no key of a file');
}
