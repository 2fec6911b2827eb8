import type { Middleware } from 'koa';
import { parseJsonObject } from '../../../rest-facade/json-body.js';
import { type FilePart, readMultipartForm } from '../../../rest-facade/streams/multipart-form.js';
import type { ArtifactContext } from '../../artifacts/artifact-context.js';
import { fileSizeLimit } from '../../artifacts/file-size-limit.js';
import { AppError } from '../../kernel/errors.js';
import { IncomingFile } from '../../kernel/files/incoming-file.js';
import type { AccessContext } from '../../tenancy/access.js';
import { byteLimit } from '../byte-limit.js';

const RULES = {
  texts: { operations: byteLimit(1024 * 1024), map: byteLimit(64 * 1024) },
  reject: (message: string) => new AppError('BAD_REQUEST', message),
};

/**
 * Reads a GraphQL request with one file, as in the GraphQL multipart request specification: the form has the parts
 * `operations`, `map` and the file. Rejects unauthenticated requests before it reads the body. The operation runs while
 * the file arrives.
 */
export const readGraphqlForm: Middleware = (ctx, next) => {
  const { caller, refusal, artifacts } = ctx.state.context as AccessContext & ArtifactContext;
  if (!caller) throw refusal ?? new AppError('UNAUTHENTICATED', 'A multipart request requires a bearer token.');
  return readMultipartForm(ctx.req, RULES, async ({ texts, file }) => {
    const operations = parseJsonObject(texts.get('operations'), 'The form part `operations`');
    const place = placeIn(operations, parseJsonObject(texts.get('map'), 'The form part `map`'), file);
    if (!file) throw new AppError('WA-AF-015', 'The file part that `map` names is missing.');
    place(new IncomingFile(file, fileSizeLimit(artifacts.maxBytes)));
    ctx.request.body = operations;
    await next();
  });
};

/**
 * Returns a function that inserts the file into `operations`. `map` has the form `{ "0": ["variables.file"] }`: one
 * part, and one variable that is null in `operations`.
 */
function placeIn(operations: object, map: object, file: FilePart | undefined): (value: IncomingFile) => void {
  const [[part, paths] = [], ...others] = Object.entries(map);
  if (others.length > 0 || !Array.isArray(paths) || paths.length !== 1 || typeof paths[0] !== 'string')
    throw RULES.reject('`map` must name exactly one file and exactly one variable.');
  if (file && file.fieldName !== part) throw RULES.reject('The name of the file part differs from the name in `map`.');
  const names = paths[0].split('.');
  const last = names.pop() as string;
  const holder = names[0] === 'variables' ? names.reduce(childOf, operations as unknown) : undefined;
  if (childOf(holder, last) !== null) throw RULES.reject('`map` must name a variable that is null in `operations`.');
  return (value) => {
    (holder as Record<string, unknown>)[last] = value;
  };
}

function childOf(holder: unknown, name: string): unknown {
  const isHolder = typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name);
  return isHolder ? (holder as Record<string, unknown>)[name] : undefined;
}
