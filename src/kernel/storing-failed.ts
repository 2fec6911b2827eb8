import { PassThrough, type Readable } from 'node:stream';
import { StoringFailed } from './file-store.js';

/** What a store threw, by the code of the operating system or, where there is none, the name of the error. */
export function storingFailed(error: unknown): StoringFailed {
  const { code, name } = error as NodeJS.ErrnoException;
  return new StoringFailed(typeof code === 'string' ? code : name, { cause: error });
}

/** The bytes that come from a store, whose error is then a `StoringFailed`. */
export function fromStore(source: Readable): Readable {
  const told = new PassThrough({ highWaterMark: source.readableHighWaterMark });
  source.on('error', (error) => told.destroy(storingFailed(error)));
  told.on('close', () => source.destroy());
  return source.pipe(told);
}
