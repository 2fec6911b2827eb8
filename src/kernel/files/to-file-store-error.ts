import { PassThrough, type Readable } from 'node:stream';
import { FileStoreError } from './file-store.js';

/** The code of the result is the operating system code of the error or, without such a code, the name of the error. */
export function toFileStoreError(error: unknown): FileStoreError {
  const { code, name } = error as NodeJS.ErrnoException;
  return new FileStoreError(typeof code === 'string' ? code : name, { cause: error });
}

export function wrapStoreErrors(source: Readable): Readable {
  const told = new PassThrough({ highWaterMark: source.readableHighWaterMark });
  source.on('error', (error) => told.destroy(toFileStoreError(error)));
  told.on('close', () => source.destroy());
  return source.pipe(told);
}
