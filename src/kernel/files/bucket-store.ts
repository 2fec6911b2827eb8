import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  NoSuchKey,
  NoSuchUpload,
  NotFound,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { FileNotFoundError, type FileStore, FileStoreError, requireFileKey } from './file-store.js';
import type { BucketLocation } from './storage-url.js';
import { toFileStoreError, wrapStoreErrors } from './to-file-store-error.js';

/** Limits of S3: the minimum size of each part except the last, and the maximum number of parts. */
const MIN_PART_BYTES = 5 * 2 ** 20;
const MAX_PARTS = 10_000;

/** Number of parts of a file that the store uploads concurrently. The store buffers one more part. */
const UPLOAD_CONCURRENCY = 2;

const MAX_ATTEMPTS = 3;
const CONNECT_TIMEOUT_MS = 3_000;
/** Timeout for a socket without traffic. A reader that pauses for longer must open the file again. */
const IDLE_TIMEOUT_MS = 60_000;

/** Uses the default credentials of the AWS SDK. */
export class BucketStore implements FileStore {
  readonly #client: S3Client;
  readonly #partSize: number;

  private constructor(
    private readonly address: BucketLocation,
    maxBytes: number,
  ) {
    this.#partSize = Math.max(MIN_PART_BYTES, Math.ceil(maxBytes / MAX_PARTS));
    // The connection timeout would include the wait for a free socket, so the number of sockets is unlimited.
    const agent = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY };
    this.#client = new S3Client({
      ...(address.endpoint !== undefined && { endpoint: address.endpoint }),
      ...(address.region !== undefined && { region: address.region }),
      ...{ forcePathStyle: address.forcePathStyle, maxAttempts: MAX_ATTEMPTS, retryMode: 'standard' },
      // Not every S3-compatible server supports the SDK's default checksums.
      ...{ requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' },
      requestHandler: {
        ...{
          connectionTimeout: CONNECT_TIMEOUT_MS,
          socketTimeout: IDLE_TIMEOUT_MS,
          httpAgent: agent,
          httpsAgent: agent,
        },
      },
    });
  }

  /**
   * Checks that the bucket exists and is accessible. `maxBytes` is the maximum size of a file. Throws `FileStoreError`.
   */
  static async open(address: BucketLocation, maxBytes: number): Promise<BucketStore> {
    const store = new BucketStore(address, maxBytes);
    await store.#client.config.region().catch((cause: unknown) => {
      throw new FileStoreError('NoRegion', { cause });
    });
    await withStoreErrors(() => store.#findBucket());
    return store;
  }

  /**
   * An object becomes visible when its upload is complete. Callers must not put the same key concurrently, because the
   * last upload would win.
   */
  async put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const object = this.#objectOf(key);
    const taken = await withStoreErrors(() => this.#findSize(object));
    if (taken !== undefined) throw new FileStoreError('EEXIST', { cause: undefined });
    const source = new TrackedSource(bytes);
    const params = { ...object, Body: source.body };
    try {
      await new Upload({
        client: this.#client,
        params,
        partSize: this.#partSize,
        queueSize: UPLOAD_CONCURRENCY,
      }).done();
    } catch (error) {
      // The SDK has already aborted the upload. If the abort failed too, the next `delete` of the key deletes the
      // uploaded parts.
      if (source.failure) throw source.failure.error;
      await this.delete(key).catch(() => undefined);
      throw toBucketError(error);
    } finally {
      source.body.destroy();
    }
  }

  async readHead(key: string, length: number): Promise<Buffer> {
    if (length === 0) {
      if ((await this.sizeOf(key)) === undefined) throw new FileNotFoundError(key);
      return Buffer.alloc(0);
    }
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of await this.#read(key, `bytes=0-${length - 1}`)) {
      chunks.push(chunk);
      size += chunk.length;
      // Some servers ignore the range and return the whole file.
      if (size >= length) break;
    }
    return Buffer.concat(chunks).subarray(0, length);
  }

  async open(key: string): Promise<Readable> {
    return this.#read(key);
  }

  async copyTo(key: string, path: string): Promise<void> {
    const bytes = await this.#read(key);
    await withStoreErrors(() => pipeline(bytes, createWriteStream(path, { flags: 'wx', mode: 0o600 })));
  }

  async sizeOf(key: string): Promise<number | undefined> {
    const object = this.#objectOf(key);
    return withStoreErrors(async () => {
      const size = await this.#findSize(object);
      // S3 returns the same status for a missing bucket and a missing object.
      if (size === undefined) await this.#findBucket();
      return size;
    });
  }

  async delete(key: string): Promise<void> {
    const object = this.#objectOf(key);
    await withStoreErrors(async () => {
      await this.#client.send(new DeleteObjectCommand(object));
      // S3 sorts uploads by key, so the uploads of this key come first. They always fit on one page.
      const { Bucket, Key: Prefix } = object;
      const { Uploads = [] } = await this.#client.send(new ListMultipartUploadsCommand({ Bucket, Prefix }));
      for (const { Key, UploadId } of Uploads)
        if (Key === object.Key) await this.#abort(new AbortMultipartUploadCommand({ ...object, UploadId }));
    });
  }

  urlOf(key: string): string {
    const { Bucket, Key } = this.#objectOf(key);
    return `s3://${Bucket}/${Key}`;
  }

  async #abort(command: AbortMultipartUploadCommand): Promise<void> {
    await this.#client.send(command).catch((error: unknown) => {
      if (!(error instanceof NoSuchUpload)) throw error;
    });
  }

  async #read(key: string, range?: string): Promise<Readable> {
    const command = new GetObjectCommand({ ...this.#objectOf(key), ...(range !== undefined && { Range: range }) });
    try {
      const { Body } = await this.#client.send(command);
      return wrapStoreErrors(Body as Readable);
    } catch (error) {
      if (error instanceof NoSuchKey) throw new FileNotFoundError(key, { cause: error });
      // An empty file has no byte 0, so S3 rejects the requested range.
      if (error instanceof S3ServiceException && error.name === 'InvalidRange') return Readable.from([]);
      throw toBucketError(error);
    }
  }

  async #findSize(object: { Bucket: string; Key: string }): Promise<number | undefined> {
    try {
      return (await this.#client.send(new HeadObjectCommand(object))).ContentLength;
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }

  async #findBucket(): Promise<void> {
    await this.#client.send(new HeadBucketCommand({ Bucket: this.address.bucket }));
  }

  #objectOf(key: string): { Bucket: string; Key: string } {
    requireFileKey(key);
    const { bucket, prefix } = this.address;
    return { Bucket: bucket, Key: prefix === '' ? key : `${prefix}/${key}` };
  }
}

/** Records errors of `bytes`, because the SDK does not distinguish them from its own errors. */
class TrackedSource {
  readonly body: Readable;
  failure: { readonly error: unknown } | undefined;

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.body = Readable.from(endEarly(this.#track(bytes)));
  }

  async *#track(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* bytes;
    } catch (error) {
      this.failure = { error };
      throw error;
    }
  }
}

/**
 * Calls `return` on `bytes` when the stream is destroyed. `Readable.from(bytes)` would call `throw` with the error of
 * the stream.
 */
async function* endEarly(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) yield chunk;
}

async function withStoreErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toBucketError(error);
  }
}

/** Responses without a body, such as responses to HEAD, have a status but no error code. */
function toBucketError(error: unknown): FileStoreError {
  if (!(error instanceof S3ServiceException) || error.name !== 'Unknown') return toFileStoreError(error);
  return new FileStoreError(`HTTP ${error.$metadata.httpStatusCode}`, { cause: error });
}
