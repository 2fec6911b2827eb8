import { PassThrough, type Readable } from 'node:stream';
import { FileStoreError } from './file-store.js';

/** What a store threw, by the code of the operating system or, where there is none, the name of the error. */
export function toFileStoreError(error: unknown): FileStoreError {
  const { code, name } = error as NodeJS.ErrnoException;
  return new FileStoreError(typeof code === 'string' ? code : name, { cause: error });
}

/** The bytes that come from a store, whose error is then a `FileStoreError`. */
export function wrapStoreErrors(source: Readable): Readable {
  const told = new PassThrough({ highWaterMark: source.readableHighWaterMark });
  source.on('error', (error) => told.destroy(toFileStoreError(error)));
  told.on('close', () => source.destroy());
  return source.pipe(told);
}
