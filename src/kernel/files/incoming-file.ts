import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { GraphQLScalarType } from 'graphql';
import { type FileUpload, GraphQLUpload } from 'graphql-upload-minimal';
import { AppError } from '../errors.js';
import { reportReleasedBytes } from './minor-gc.js';

export interface FileSizeLimit {
  readonly maxBytes: number;
  /** The error of a larger file. */
  error(): Error;
}

/** A part of a form as it arrives. */
interface FilePart extends Pick<FileUpload, 'fieldName' | 'mimetype' | 'encoding'> {
  readonly filename: string | undefined;
  /** Destroyed with an error if the client disconnects or the form is malformed. */
  readonly bytes: Readable;
  /** Content-Length of the whole request. */
  readonly length: number | undefined;
}

const ignore = (): void => undefined;

/**
 * A file being uploaded, with the contract of `graphql-upload-minimal` for resolvers. Its bytes can be read once, with
 * backpressure to the client.
 */
export class IncomingFile implements Omit<FileUpload, 'filename' | 'createReadStream'> {
  readonly #hash = createHash('sha256');
  #length = 0;
  #isRead = false;
  #sha256: string | undefined;

  readonly fieldName: string;
  /** File name as sent by the client, not validated: it may contain a path. */
  readonly filename: string | undefined;
  /** Media type as sent by the client; the content may differ. */
  readonly mimetype: string;
  readonly encoding: string;
  readonly length: number | undefined;
  readonly #bytes: Readable;

  constructor(
    { bytes, ...part }: FilePart,
    private readonly limit?: FileSizeLimit,
  ) {
    this.fieldName = part.fieldName;
    this.filename = part.filename;
    this.mimetype = part.mimetype;
    this.encoding = part.encoding;
    this.length = part.length;
    this.#bytes = bytes;
  }

  /**
   * Can be read once. If a query refers to its file twice, the second read fails. The stream fails with the error of
   * `limit` at the first byte beyond the limit. This is a property instead of a method, because resolvers destructure
   * it.
   */
  readonly createReadStream = (): Readable => {
    const stream = Readable.from(this.#read(), { objectMode: false });
    return stream.on('error', ignore); // a reader gets the error as well, but may have stopped reading
  };

  #read(): AsyncIterable<Buffer> {
    if (this.#isRead) throw new AppError('BAD_REQUEST', 'A file may be used only once in a request.');
    this.#isRead = true;
    return this.#measured();
  }

  /**
   * SHA-256 of all bytes, hexadecimal. Reads the bytes if no reader has read them. Rejects if a reader stopped before
   * the end.
   */
  async sha256(): Promise<string> {
    if (!this.#isRead) for await (const { length } of this.#read()) reportReleasedBytes(length);
    if (this.#sha256 === undefined) throw new Error('the file was not read to its end');
    return this.#sha256;
  }

  /** Discards the unread bytes and the rest of the request. */
  discard(): void {
    this.#bytes.destroy();
  }

  /** Returns the values that identify the file before its bytes are known. */
  toJSON(): object {
    return { name: this.filename };
  }

  async *#measured(): AsyncGenerator<Buffer> {
    for await (const chunk of this.#bytes as AsyncIterable<Buffer>) {
      this.#length += chunk.length;
      if (this.limit && this.#length > this.limit.maxBytes) throw this.limit.error();
      this.#hash.update(chunk);
      yield chunk;
    }
    this.#sha256 = this.#hash.digest('hex');
  }
}

/**
 * The scalar of `graphql-upload-minimal`, except that it accepts the files of our own transport
 * (docs/decisions/0011-multipart-forms-with-busboy.md).
 */
export const Upload = new GraphQLScalarType({
  ...GraphQLUpload.toConfig(),
  description: 'A file, sent as defined by the GraphQL multipart request specification.',
  specifiedByURL: 'https://github.com/jaydenseric/graphql-multipart-request-spec',
  parseValue: (value) => {
    if (value instanceof IncomingFile) return value;
    throw new AppError('BAD_REQUEST', 'A file must be sent as a part of a multipart/form-data request.');
  },
  extensions: { jsonSchema: { type: 'string', format: 'binary' } },
});
