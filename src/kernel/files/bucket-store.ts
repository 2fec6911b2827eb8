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

/** Of S3: the fewest bytes of a part but the last one, and the most parts of an object. */
const MIN_PART_BYTES = 5 * 2 ** 20;
const MAX_PARTS = 10_000;

/** Parts of one file that are on their way at once; one more is being filled. */
const UPLOAD_CONCURRENCY = 2;

const MAX_ATTEMPTS = 3;
const CONNECT_TIMEOUT_MS = 3_000;
/** Milliseconds of silence, while sending, waiting or reading. Whoever reads a file and pauses for longer has to open it again. */
const IDLE_TIMEOUT_MS = 60_000;

/** Keeps files in a bucket of S3 or of a server that speaks its protocol. Credentials are those that the AWS SDK finds by itself. */
export class BucketStore implements FileStore {
  readonly #client: S3Client;
  readonly #partSize: number;

  private constructor(
    private readonly address: BucketLocation,
    maxBytes: number,
  ) {
    this.#partSize = Math.max(MIN_PART_BYTES, Math.ceil(maxBytes / MAX_PARTS));
    // The time that a request waits for a free socket would count as time to connect, so there are as many as it takes.
    const agent = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY };
    this.#client = new S3Client({
      ...(address.endpoint !== undefined && { endpoint: address.endpoint }),
      ...(address.region !== undefined && { region: address.region }),
      ...{ forcePathStyle: address.forcePathStyle, maxAttempts: MAX_ATTEMPTS, retryMode: 'standard' },
      // What the SDK adds by default is not known to every server that speaks the protocol.
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

  /** Proves that the bucket is there and can be entered; `maxBytes` is the most that a file will have. Throws `FileStoreError`. */
  static async open(address: BucketLocation, maxBytes: number): Promise<BucketStore> {
    const store = new BucketStore(address, maxBytes);
    await store.#client.config.region().catch((cause: unknown) => {
      throw new FileStoreError('NoRegion', { cause });
    });
    await inBucket(() => store.#findBucket());
    return store;
  }

  /** Nobody sees an object before it is whole. Of two puts of a key at the same moment, which no caller makes, the later one would win. */
  async put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const object = this.#objectOf(key);
    const taken = await inBucket(() => this.#findSize(object));
    if (taken !== undefined) throw new FileStoreError('EEXIST', { cause: undefined });
    const source = new Source(bytes);
    const params = { ...object, Body: source.body };
    try {
      await new Upload({
        client: this.#client,
        params,
        partSize: this.#partSize,
        queueSize: UPLOAD_CONCURRENCY,
      }).done();
    } catch (error) {
      // The upload has been given up already; where that was not heard either, the next `delete` of the key sees to it.
      if (source.failure) throw source.failure.error;
      await this.delete(key).catch(() => undefined);
      throw bucketFailed(error);
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
      // A server may pay no heed to the range.
      if (size >= length) break;
    }
    return Buffer.concat(chunks).subarray(0, length);
  }

  async open(key: string): Promise<Readable> {
    return this.#read(key);
  }

  async copyTo(key: string, path: string): Promise<void> {
    const bytes = await this.#read(key);
    await inBucket(() => pipeline(bytes, createWriteStream(path, { flags: 'wx', mode: 0o600 })));
  }

  async sizeOf(key: string): Promise<number | undefined> {
    const object = this.#objectOf(key);
    return inBucket(async () => {
      const size = await this.#findSize(object);
      // That the bucket itself is gone looks the same.
      if (size === undefined) await this.#findBucket();
      return size;
    });
  }

  async delete(key: string): Promise<void> {
    const object = this.#objectOf(key);
    await inBucket(async () => {
      await this.#client.send(new DeleteObjectCommand(object));
      // Those of the key itself come before those of longer ones, and there are never as many as a page holds.
      const { Bucket, Key: Prefix } = object;
      const { Uploads = [] } = await this.#client.send(new ListMultipartUploadsCommand({ Bucket, Prefix }));
      for (const { Key, UploadId } of Uploads)
        if (Key === object.Key) await this.#abort(new AbortMultipartUploadCommand({ ...object, UploadId }));
    });
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
      // There is no first byte of an empty file.
      if (error instanceof S3ServiceException && error.name === 'InvalidRange') return Readable.from([]);
      throw bucketFailed(error);
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

/** Bytes on their way through a library that does not tell their failure from its own. */
class Source {
  readonly body: Readable;
  failure: { readonly error: unknown } | undefined;

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.body = Readable.from(untilLeft(this.#heard(bytes)));
  }

  async *#heard(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* bytes;
    } catch (error) {
      this.failure = { error };
      throw error;
    }
  }
}

/** Whoever leaves early ends the bytes. A stream that is destroyed would throw its own error into them, as if it were theirs. */
async function* untilLeft(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) yield chunk;
}

async function inBucket<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw bucketFailed(error);
  }
}

/** A reply without a body, as those to HEAD are, tells no more than its status. */
function bucketFailed(error: unknown): FileStoreError {
  if (!(error instanceof S3ServiceException) || error.name !== 'Unknown') return toFileStoreError(error);
  return new FileStoreError(`HTTP ${error.$metadata.httpStatusCode}`, { cause: error });
}
