import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { ErrorCode } from '../../src/kernel/errors.js';
import type { ByteLimit } from '../byte-limit.js';
import { parseJsonObject } from '../json-body.js';
import type { Operation } from '../operations.js';
import { coerceVariables, rejectQuery } from '../read-variables.js';
import { type FilePart, readMultipartForm } from './multipart-form.js';

const MAX_DATA: ByteLimit = { bytes: 64 * 1024, text: '64 KiB' };

const CODE_BY_PART: Record<string, ErrorCode> = { data: 'WA-AF-014', file: 'WA-AF-015' };

export interface AnnouncedUpload {
  /** Content-Length of the body, if the client sent this header. */
  readonly length: number | undefined;
  /** Whether the service may replay an earlier response for the Idempotency-Key. A replay stores no file. */
  readonly mayReplay: boolean;
}

export interface UploadHandlers<Request> {
  /** Throws if the caller may not upload now. Called before the facade reads the body. */
  readonly admit: (request: Request, announced: AnnouncedUpload) => Promise<void>;
  /**
   * Stores a file that begins before `data` has arrived, and applies the size limit of uploads. If the promise rejects,
   * the upload fails with the same error.
   */
  readonly stage: (request: Request, file: FilePart) => Promise<Readable>;
  readonly receive: (file: FilePart) => unknown;
  /** Creates the error for a rejected form. The facade also destroys the stream of the file with this error. */
  readonly reject: (code: ErrorCode, message: string) => Error;
}

/**
 * Reads a form with the parts `file` and `data` in any order. `data` is an optional JSON object of all variables except
 * `file`. If `data` precedes the file, the file is still arriving during `work`. Otherwise, `stage` stores the file
 * first.
 */
export async function readUpload<Request, Result>(
  ctx: Context,
  operation: Operation,
  request: Request,
  { admit, stage, receive, reject, mayReplay }: UploadHandlers<Request> & Pick<AnnouncedUpload, 'mayReplay'>,
  work: (variables: Record<string, unknown>) => Promise<Result>,
): Promise<Result> {
  rejectQuery(ctx);
  const length = ctx.headers['content-length'];
  await admit(request, { length: length === undefined ? undefined : Number(length), mayReplay });
  const rules = {
    texts: { data: MAX_DATA },
    file: 'file',
    stage: (file: FilePart) => stage(request, file),
    reject: (message: string, part = '') =>
      reject(Object.hasOwn(CODE_BY_PART, part) ? (CODE_BY_PART[part] as ErrorCode) : 'BAD_REQUEST', message),
  };
  return readMultipartForm(ctx.req, rules, async ({ texts, file }) => {
    const data = texts.get('data') ?? '{}';
    if (!file) throw rules.reject('The file part is missing.', 'file');
    const fields = Object.entries(parseJsonObject(data, 'The data part', CODE_BY_PART.data));
    return work(coerceVariables(ctx, operation, [...fields, ['file', receive(file)]], CODE_BY_PART.data));
  });
}
