import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { ErrorCode } from '../src/kernel/errors.js';
import { parseObject } from './body.js';
import type { Operation } from './operations.js';
import { refuseQuery, variablesOf } from './request.js';
import { type FilePart, readForm } from './streams/form.js';

/** Bytes of the `data` part. */
const MOST_DATA = 64 * 1024;

/** Everything that is wrong with a part is told by its code, wherever in the form it stands. */
const CODES: Record<string, ErrorCode> = { data: 'WA-AF-014', file: 'WA-AF-015' };

export interface AnnouncedUpload {
  /** Bytes of the body, if its header says so. */
  readonly length: number | undefined;
  /** Whether the reply may be that of an earlier request under the same Idempotency-Key, which stores nothing. */
  readonly mayReplay: boolean;
}

export interface Uploads<Request> {
  /** Throws where the caller may not upload now; called before the body is read. */
  readonly admit: (request: Request, announced: AnnouncedUpload) => Promise<void>;
  /** Keeps a file that comes before `data`, in the same limits; what it rejects with is thrown. */
  readonly stage: (request: Request, file: FilePart) => Promise<Readable>;
  /** The value of the variable `file`. */
  readonly receive: (file: FilePart) => unknown;
  /** What is thrown over a form that is refused, and what the bytes of its file are destroyed with. */
  readonly refuse: (code: ErrorCode, message: string) => Error;
}

/**
 * Does `work` with the variables of a form of two parts in either order: `data`, a JSON object that may be missing, has all of them but `file`.
 * A file that comes last still arrives during `work`.
 */
export async function readUpload<Request, Result>(
  ctx: Context,
  operation: Operation,
  request: Request,
  { admit, stage, receive, refuse, mayReplay }: Uploads<Request> & Pick<AnnouncedUpload, 'mayReplay'>,
  work: (variables: Record<string, unknown>) => Promise<Result>,
): Promise<Result> {
  refuseQuery(ctx);
  const length = ctx.headers['content-length'];
  await admit(request, { length: length === undefined ? undefined : Number(length), mayReplay });
  const rules = {
    texts: { data: MOST_DATA },
    file: 'file',
    stage: (file: FilePart) => stage(request, file),
    refuse: (message: string, part = '') =>
      refuse(Object.hasOwn(CODES, part) ? (CODES[part] as ErrorCode) : 'BAD_REQUEST', message),
  };
  return readForm(ctx.req, rules, async ({ texts, file }) => {
    const data = texts.get('data') ?? '{}';
    if (!file) throw rules.refuse('There is no file part.', 'file');
    const fields = Object.entries(parseObject(data, 'The data part', CODES.data));
    return work(variablesOf(ctx, operation, [...fields, ['file', receive(file)]], CODES.data));
  });
}
