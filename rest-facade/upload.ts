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

export interface Uploads {
  /** The value of the variable `file`. */
  readonly receive: (file: FilePart) => unknown;
  /** What is thrown over a form that is refused, and what the bytes of its file are destroyed with. */
  readonly refuse: (code: ErrorCode, message: string) => Error;
}

/**
 * Does `work` with the variables of a form of two parts: `data`, a JSON object, has all of them but `file`. The file still arrives
 * meanwhile.
 */
export async function readUpload<Result>(
  ctx: Context,
  operation: Operation,
  { receive, refuse }: Uploads,
  work: (variables: Record<string, unknown>) => Promise<Result>,
): Promise<Result> {
  refuseQuery(ctx);
  const rules = {
    texts: { data: MOST_DATA },
    file: 'file',
    refuse: (message: string, part = '') =>
      refuse(Object.hasOwn(CODES, part) ? (CODES[part] as ErrorCode) : 'BAD_REQUEST', message),
  };
  return readForm(ctx.req, rules, async ({ texts, file }) => {
    const data = texts.get('data');
    if (data === undefined) throw rules.refuse('There is no data part before the file.', 'data');
    if (!file) throw rules.refuse('There is no file part.', 'file');
    if (file.part !== rules.file) throw rules.refuse('The file must be the part of the name file.');
    const fields = Object.entries(parseObject(data, 'The data part', CODES.data));
    return work(variablesOf(ctx, operation, [...fields, ['file', receive(file)]], CODES.data));
  });
}
