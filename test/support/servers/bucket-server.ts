import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { type Loopback, listenOnLoopback } from './loopback.js';

const BUCKET = 'files';

/** Default credentials of s3rver. */
export const BUCKET_CREDENTIALS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };

/**
 * A bucket on loopback, served by s3rver. Adds ListMultipartUploads, AbortMultipartUpload and ranges of empty objects
 * according to https://docs.aws.amazon.com/AmazonS3/latest/API.
 */
export class BucketServer {
  /** Received requests, such as `PUT /files/key?partNumber=1`. */
  readonly requests: string[] = [];
  /** Total size of the bodies of completed requests, in bytes. */
  received = 0;
  /** Handles requests instead of s3rver. Returns false for requests that s3rver must handle. */
  answer: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  #folder: string;
  #server: Loopback;
  #serve: RequestListener;

  async open(): Promise<this> {
    this.#folder = await mkdtemp(join(tmpdir(), 'taproot-bucket-'));
    const s3rver = new S3rver({ directory: this.#folder, silent: true, configureBuckets: [{ name: BUCKET }] });
    await s3rver.configureBuckets();
    this.#serve = s3rver.callback();
    this.#server = await listenOnLoopback((request, response) => void this.#handle(request, response));
    return this;
  }

  /** Returns the value for STORAGE_URL. */
  address(prefix = ''): string {
    return `s3://${BUCKET}${prefix && `/${prefix}`}?endpoint=${this.#server.origin}&forcePathStyle=true`;
  }

  async close(): Promise<void> {
    await this.#server.close();
    await rm(this.#folder, { recursive: true });
  }

  /** Returns the keys of all objects and unfinished uploads. */
  async keys(): Promise<string[]> {
    const names = await undisturbed(() => readdir(join(this.#folder, BUCKET), { recursive: true }));
    const objects = names.flatMap((name) => /^(.+)\._S3rver_object$/.exec(name)?.[1] ?? []);
    return [...objects, ...(await this.#uploads()).map(({ key }) => key)];
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '' } = request;
    this.requests.push(`${method} ${url}`);
    if (this.answer?.(request, response)) return void request.resume();
    const { pathname, searchParams } = new URL(url, this.#server.origin);
    const upload = searchParams.get('uploadId');
    if (method === 'GET' && searchParams.has('uploads'))
      return void response.end(listing(await this.#uploads(), searchParams.get('prefix') ?? ''));
    if (method === 'DELETE' && upload) return this.#abort(upload, response);
    if (request.headers.range && (await this.#isEmpty(pathname)))
      return respondWithS3Error(response, 416, 'InvalidRange');
    response.on('finish', () => (this.received += Number(request.headers['content-length'] ?? 0)));
    this.#serve(request, response);
  }

  async #abort(upload: string, response: ServerResponse): Promise<void> {
    const isThere = (await this.#uploads()).some(({ id }) => id === upload);
    await rm(join(this.#folderOfUploads, upload), { recursive: true, force: true });
    if (!isThere) return respondWithS3Error(response, 404, 'NoSuchUpload');
    response.writeHead(204).end();
  }

  async #isEmpty(path: string): Promise<boolean> {
    const { size } = await stat(join(this.#folder, `${path}._S3rver_object`)).catch(() => ({ size: undefined }));
    return size === 0;
  }

  get #folderOfUploads(): string {
    return join(this.#folder, BUCKET, '._S3rver_uploads');
  }

  #uploads(): Promise<{ id: string; key: string }[]> {
    return undisturbed(async () => {
      const ids = await readdir(this.#folderOfUploads).catch(() => []);
      const keyOf = async (id: string) => String(await readFile(join(this.#folderOfUploads, id, 'key')));
      return Promise.all(ids.map(async (id) => ({ id, key: await keyOf(id) })));
    });
  }
}

/** Repeats the call if a file was removed in the meantime. */
async function undisturbed<Result>(read: () => Promise<Result>): Promise<Result> {
  return read().catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undisturbed(read);
  });
}

export function respondWithS3Error(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<Error><Code>${code}</Code><Message>Simulated error.</Message></Error>`);
}

function listing(uploads: readonly { id: string; key: string }[], prefix: string): string {
  const entries = uploads
    .filter(({ key }) => key.startsWith(prefix))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ id, key }) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`);
  return `<ListMultipartUploadsResult><Bucket>${BUCKET}</Bucket>${entries.join('')}</ListMultipartUploadsResult>`;
}
