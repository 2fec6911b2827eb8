import { PassThrough, type Readable } from 'node:stream';
import { FileStoreError } from './file-store.js';

/**
 * Wraps an error of a store. The code is the operating system code of the error. If the error has no such code, the
 * code is its name.
 */
export function toFileStoreError(error: unknown): FileStoreError {
  const { code, name } = error as NodeJS.ErrnoException;
  return new FileStoreError(typeof code === 'string' ? code : name, { cause: error });
}

/** Returns a stream whose errors are `FileStoreError`. */
export function wrapStoreErrors(source: Readable): Readable {
  const told = new PassThrough({ highWaterMark: source.readableHighWaterMark });
  source.on('error', (error) => told.destroy(toFileStoreError(error)));
  told.on('close', () => source.destroy());
  return source.pipe(told);
}
