import type { Readable } from 'node:stream';
import { GraphQLScalarType } from 'graphql';
import { AppError } from './errors.js';

/** A file on its way in. Its bytes come as fast as they are read, and once only. */
export class IncomingFile {
  #isRead = false;

  /**
   * `bytes` is destroyed, with an error, where the client leaves or the form around the file turns out to be wrong. `length` is what the whole request
   * announces, in bytes.
   */
  constructor(
    private readonly bytes: Readable,
    /** As the client wrote it: it may hold a path or anything else. */
    readonly name: string | undefined,
    readonly length: number | undefined,
  ) {}

  /** For one reader alone: a question may name its file in two places. */
  read(): Readable {
    if (this.#isRead) throw new AppError('BAD_REQUEST', 'A file can be used once in a request.');
    this.#isRead = true;
    return this.bytes;
  }

  /** What was not read is of no use; with it goes the rest of the request. */
  letGo(): void {
    this.bytes.destroy();
  }

  /** What tells two requests with the same Idempotency-Key apart: the content is not known before it has been read. */
  toJSON(): object {
    return { name: this.name, length: this.length };
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
