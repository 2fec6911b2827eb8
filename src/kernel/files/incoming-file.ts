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

/** A file being uploaded. Its bytes can be read once, with backpressure to the client. */
export class IncomingFile {
  readonly #hash = createHash('sha256');
  #length = 0;
  #isRead = false;
  #sha256: string | undefined;

  /**
   * `bytes` is destroyed with an error if the client disconnects or the form is malformed. `length`: Content-Length of
   * the whole request.
   */
  constructor(
    private readonly bytes: Readable,
    /** As sent by the client, not validated: it may contain a path. */
    readonly name: string | undefined,
    readonly length: number | undefined,
    private readonly limit?: FileSizeLimit,
  ) {}

  /**
   * For a single reader: a query may refer to its file twice. Throws the error of `limit` at the first byte beyond it.
   */
  read(): AsyncIterable<Buffer> {
    if (this.#isRead) throw new AppError('BAD_REQUEST', 'A file may be used only once in a request.');
    this.#isRead = true;
    return this.#measured();
  }

  /** SHA-256 of all bytes, hexadecimal. Reads them if no reader has. Rejects if a reader stopped before the end. */
  async sha256(): Promise<string> {
    if (!this.#isRead) for await (const { length } of this.read()) reportReleasedBytes(length);
    if (this.#sha256 === undefined) throw new Error('the file was not read to its end');
    return this.#sha256;
  }

  /** Discards the unread bytes and the rest of the request. */
  discard(): void {
    this.bytes.destroy();
  }

  /** Values that identify the file before its bytes are known. */
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

/** A file variable of the GraphQL multipart request specification. */
export const Upload = new GraphQLScalarType<IncomingFile, never>({
  name: 'Upload',
  description: 'A file, sent as defined by the GraphQL multipart request specification.',
  specifiedByURL: 'https://github.com/jaydenseric/graphql-multipart-request-spec',
  parseValue: (value) => {
    if (value instanceof IncomingFile) return value;
    throw new AppError('BAD_REQUEST', 'A file must be sent as a part of a multipart/form-data request.');
  },
  serialize: () => {
    throw new Error('a file cannot be an output value');
  },
  extensions: { jsonSchema: { type: 'string', format: 'binary' } },
});
