import type { Context, Middleware } from 'koa';
import { decodeUtf8, parseJsonObject, readRawBody } from '../../../rest-facade/json-body.js';
import { decompressBody, type RequestContentCoding } from '../../kernel/formats/decompress-body.js';
import type { AccessContext } from '../../tenancy/access.js';
import { isMultipartForm } from '../request-timeouts.js';
import { readGraphqlForm } from './graphql-form.js';

declare module 'koa' {
  interface Request {
    body?: unknown;
  }
}

/** Bytes of a body as it is sent, and of what a compressed one unpacks to. */
const MAX_BODY_BYTES = 1024 * 1024;

/** The same of a request without a caller: a document, and variables of the few fields that are public. */
const MAX_ANONYMOUS_BODY_BYTES = 256 * 1024;

const CODINGS: readonly RequestContentCoding[] = ['gzip', 'deflate', 'br'];

const JSON_TYPE = /^application\/json *(?:;|$)/i;

/** Reads a body of a request without a caller, or throws where too many arrive. */
export type ReadAnonymousBody = (ctx: Context, read: () => Promise<Buffer>) => Promise<Buffer>;

/** The fields of a GraphQL request over HTTP, from JSON or from a form with a file. */
export function readGraphqlBody(readWithoutCaller: ReadAnonymousBody): Middleware {
  return async (ctx, next) => {
    if (ctx.method === 'POST' && isMultipartForm(ctx.req)) return readGraphqlForm(ctx, next);
    ctx.request.body = {};
    // A body of another type is left alone, since the endpoint then rejects the request.
    if (ctx.method === 'POST' && JSON_TYPE.test(ctx.get('Content-Type'))) {
      const { caller } = ctx.state.context as AccessContext;
      const limit = caller ? MAX_BODY_BYTES : MAX_ANONYMOUS_BODY_BYTES;
      const read = (): Promise<Buffer> => readRawBody(ctx.req, limit);
      ctx.request.body = await parse(ctx, await (caller ? read() : readWithoutCaller(ctx, read)), limit);
    }
    await next();
  };
}

async function parse(ctx: Context, bytes: Buffer, limit: number): Promise<Record<string, unknown>> {
  const unpacked = await decompressBody(bytes, ctx.req.headers['content-encoding'], { codings: CODINGS, limit });
  return parseJsonObject(decodeUtf8(unpacked), 'The body');
}
