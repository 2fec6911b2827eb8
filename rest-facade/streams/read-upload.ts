import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { ErrorCode } from '../../src/kernel/errors.js';
import { parseJsonObject } from '../json-body.js';
import type { Operation } from '../operations.js';
import { coerceVariables, rejectQuery } from '../read-variables.js';
import { type FilePart, readMultipartForm } from './multipart-form.js';

/** Bytes of the `data` part. */
const MAX_DATA_BYTES = 64 * 1024;

/** Everything that is wrong with a part is told by its code, wherever in the form it stands. */
const CODE_BY_PART: Record<string, ErrorCode> = { data: 'WA-AF-014', file: 'WA-AF-015' };

export interface AnnouncedUpload {
  /** Bytes of the body, if its header says so. */
  readonly length: number | undefined;
  /** Whether the reply may be that of an earlier request under the same Idempotency-Key, which stores nothing. */
  readonly mayReplay: boolean;
}

export interface UploadHandlers<Request> {
  /** Throws where the caller may not upload now; called before the body is read. */
  readonly admit: (request: Request, announced: AnnouncedUpload) => Promise<void>;
  /** Keeps a file that comes before `data`, in the same limits; what it rejects with is thrown. */
  readonly stage: (request: Request, file: FilePart) => Promise<Readable>;
  /** The value of the variable `file`. */
  readonly receive: (file: FilePart) => unknown;
  /** What is thrown over a form that is refused, and what the bytes of its file are destroyed with. */
  readonly reject: (code: ErrorCode, message: string) => Error;
}

/**
 * Does `work` with the variables of a form of two parts in either order: `data`, a JSON object that may be missing, has all of them but `file`.
 * A file that comes last still arrives during `work`.
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
    texts: { data: MAX_DATA_BYTES },
    file: 'file',
    stage: (file: FilePart) => stage(request, file),
    reject: (message: string, part = '') =>
      reject(Object.hasOwn(CODE_BY_PART, part) ? (CODE_BY_PART[part] as ErrorCode) : 'BAD_REQUEST', message),
  };
  return readMultipartForm(ctx.req, rules, async ({ texts, file }) => {
    const data = texts.get('data') ?? '{}';
    if (!file) throw rules.reject('There is no file part.', 'file');
    const fields = Object.entries(parseJsonObject(data, 'The data part', CODE_BY_PART.data));
    return work(coerceVariables(ctx, operation, [...fields, ['file', receive(file)]], CODE_BY_PART.data));
  });
}
