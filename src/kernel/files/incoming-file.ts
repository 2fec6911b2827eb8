import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { GraphQLScalarType } from 'graphql';
import { AppError } from '../errors.js';
import { reportReleasedBytes } from './minor-gc.js';

export interface FileSizeLimit {
  readonly maxBytes: number;
  /** The error of a larger file. */
  error(): Error;
}

/** A file on its way in. Its bytes come as fast as they are read, and once only. */
export class IncomingFile {
  readonly #hash = createHash('sha256');
  #length = 0;
  #isRead = false;
  #sha256: string | undefined;

  /**
   * `bytes` is destroyed, with an error, where the client leaves or the form around the file turns out to be wrong. `length` is what the whole request
   * announces, in bytes.
   */
  constructor(
    private readonly bytes: Readable,
    /** As the client wrote it: it may hold a path or anything else. */
    readonly name: string | undefined,
    readonly length: number | undefined,
    private readonly limit?: FileSizeLimit,
  ) {}

  /** For one reader alone: a question may name its file in two places. Throws the error of `limit` with the first byte beyond it. */
  read(): AsyncIterable<Buffer> {
    if (this.#isRead) throw new AppError('BAD_REQUEST', 'A file can be used once in a request.');
    this.#isRead = true;
    return this.#measured();
  }

  /** SHA-256 of all bytes, hexadecimal. Reads them where no one has; rejects where a reader stopped before the end. */
  async sha256(): Promise<string> {
    if (!this.#isRead) for await (const { length } of this.read()) reportReleasedBytes(length);
    if (this.#sha256 === undefined) throw new Error('the file was not read to its end');
    return this.#sha256;
  }

  /** What was not read is of no use; with it goes the rest of the request. */
  discard(): void {
    this.bytes.destroy();
  }

  /** What identifies the file before its bytes are known. */
  toJSON(): object {
    return { name: this.name };
  }

  async *#measured(): AsyncGenerator<Buffer> {
    for await (const chunk of this.bytes as AsyncIterable<Buffer>) {
      this.#length += chunk.length;
      if (this.limit && this.#length > this.limit.maxBytes) throw this.limit.error();
      this.#hash.update(chunk);
      yield chunk;
    }
    this.#sha256 = this.#hash.digest('hex');
  }
}

/** A file in a variable, by the GraphQL multipart request specification. */
export const Upload = new GraphQLScalarType<IncomingFile, never>({
  name: 'Upload',
  description: 'A file of a multipart request, by the GraphQL multipart request specification.',
  parseValue: (value) => {
    if (value instanceof IncomingFile) return value;
    throw new AppError('BAD_REQUEST', 'A file is a part of a multipart/form-data request.');
  },
  serialize: () => {
    throw new Error('a file is never part of an answer');
  },
  extensions: { jsonSchema: { type: 'string', format: 'binary' } },
});
