import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { GraphQLScalarType } from 'graphql';
import { type FileUpload, GraphQLUpload } from 'graphql-upload-minimal';
import { AppError } from '../errors.js';
import { reportReleasedBytes } from './minor-gc.js';

export interface FileSizeLimit {
  readonly maxBytes: number;
  /** Error for a file that exceeds the limit. */
  error(): Error;
}

interface FilePart extends Pick<FileUpload, 'fieldName' | 'mimetype' | 'encoding'> {
  readonly filename: string | undefined;
  /** The service destroys the stream with an error if the client disconnects or the form is malformed. */
  readonly bytes: Readable;
  /** Content-Length of the whole request. Undefined without the header. */
  readonly length: number | undefined;
}

const ignore = (): void => undefined;

/**
 * A file that a client is uploading. Resolvers use it like the uploads of `graphql-upload-minimal`. Only one reader can
 * read the bytes. The client sends bytes only as fast as the reader reads.
 */
export class IncomingFile implements Omit<FileUpload, 'filename' | 'createReadStream'> {
  readonly #hash = createHash('sha256');
  #length = 0;
  #isRead = false;
  #sha256: string | undefined;

  readonly fieldName: string;
  /** Name that the client sent. The service has not validated the name, which may contain a path. */
  readonly filename: string | undefined;
  /** The content may have another type. */
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
   * If a query refers to its file twice, the second read fails. If the file is larger than `limit` permits, the stream
   * fails with the error of `limit`. Resolvers destructure this property, so it cannot be a method.
   */
  readonly createReadStream = (): Readable => {
    const stream = Readable.from(this.#read(), { objectMode: false });
    return stream.on('error', ignore); // Without a listener, an error after the end of reading would end the process.
  };

  #read(): AsyncIterable<Buffer> {
    if (this.#isRead)
      throw new AppError(
        'BAD_REQUEST',
        'The request uses its file more than once. Send one request per use of the file.',
      );
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

  /** Also discards the rest of the request. */
  discard(): void {
    this.#bytes.destroy();
  }

  /** Represents the file in the fingerprint of a request (see `fingerprintRequest`). */
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
 * Like the scalar of `graphql-upload-minimal`, but accepts only files of this service's own form parser
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
