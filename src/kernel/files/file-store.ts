import type { Readable } from 'node:stream';

/**
 * The service generates the keys. A key consists of names separated by `/`, and has at most 200 characters. A name
 * consists of ASCII letters, digits, `-`, `_` and `.`, and starts with a letter or digit. If `a/b` is a key, `a` is not
 * a key. The bytes under a key never change.
 */
export interface FileStore {
  /**
   * Stores `bytes`. Takes constant memory. Resolves when the bytes are durable. Rejects an existing key with EEXIST and
   * keeps its bytes. If the store is unreachable, the key may exist after the rejection. Other rejections store
   * nothing. After a rejection, `bytes` may be partly read, and the caller must release it. Throws `FileStoreError` if
   * the store is full, unreachable or broken.
   */
  put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /**
   * Returns the first `length` bytes, or fewer if the file is shorter. Throws `FileNotFoundError` and `FileStoreError`.
   */
  readHead(key: string, length: number): Promise<Buffer>;
  /**
   * A caller that stops reading before the end must destroy the stream. Throws `FileNotFoundError` and
   * `FileStoreError`. The stream throws `FileStoreError`.
   */
  open(key: string): Promise<Readable>;
  /**
   * Copies the file to the local path `path`, which must not exist yet. The copy may be a hard link to the stored
   * file, so no program may write to it. Throws `FileNotFoundError`, and `FileStoreError` if the store fails or `path`
   * is not writable. After an error, the copy may be incomplete.
   */
  copyTo(key: string, path: string): Promise<void>;
  /** Size in bytes. Undefined if the key does not exist. Throws `FileStoreError`. */
  sizeOf(key: string): Promise<number | undefined>;
  /**
   * Also deletes the leftovers of interrupted `put` calls. Succeeds even if the key does not exist. Throws
   * `FileStoreError`.
   */
  delete(key: string): Promise<void>;
  /** URL of the file for other programs, such as `s3://bucket/prefix/key`. Undefined if the store is a folder. */
  urlOf(key: string): string | undefined;
}

export class FileNotFoundError extends Error {
  override readonly name = 'FileNotFoundError';

  constructor(
    readonly key: string,
    options?: { cause: unknown },
  ) {
    super(`The file ${key} does not exist.`, options);
  }
}

export class FileStoreError extends Error {
  override readonly name = 'FileStoreError';

  constructor(
    /** Error code of the operating system or the store, such as ENOSPC. */
    readonly code: string | undefined,
    options: { cause: unknown },
  ) {
    super(`The file store failed (${code ?? 'unknown'}).`, options);
  }
}

const KEY = /^(?=.{1,200}$)[A-Za-z0-9][\w.-]*(\/[A-Za-z0-9][\w.-]*)*$/;

/** An invalid key is a bug, because the service generates all keys. An invalid key must not become a path. */
export function requireFileKey(key: string): void {
  if (!KEY.test(key)) throw new TypeError('the key of the file is invalid');
}
