import type { Context, Middleware } from 'koa';
import { decodeUtf8, parseJsonObject, readRawBody } from '../../../rest-facade/json-body.js';
import { decompressBody, type RequestContentCoding } from '../../kernel/formats/decompress-body.js';
import type { AccessContext } from '../../tenancy/access.js';
import { byteLimit } from '../byte-limit.js';
import { isMultipartForm } from '../request-timeouts.js';
import { readGraphqlForm } from './graphql-form.js';

declare module 'koa' {
  interface Request {
    body?: unknown;
  }
}

/** For a compressed body, the limit applies before and after decompression. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Unauthenticated requests need only the few public fields. */
const MAX_ANONYMOUS_BODY_BYTES = 256 * 1024;

const CODINGS: readonly RequestContentCoding[] = ['gzip', 'deflate', 'br'];

const JSON_TYPE = /^application\/json *(?:;|$)/i;

/**
 * Reads the body of an unauthenticated request. Throws TOO_MANY_REQUESTS while too many of these bodies are arriving.
 */
export type ReadAnonymousBody = (ctx: Context, read: () => Promise<Buffer>) => Promise<Buffer>;

export function readGraphqlBody(readWithoutCaller: ReadAnonymousBody): Middleware {
  return async (ctx, next) => {
    if (ctx.method === 'POST' && isMultipartForm(ctx.req)) return readGraphqlForm(ctx, next);
    ctx.request.body = {};
    // The endpoint rejects requests with bodies of other types.
    if (ctx.method === 'POST' && JSON_TYPE.test(ctx.get('Content-Type'))) {
      const { caller } = ctx.state.context as AccessContext;
      const limit = caller ? MAX_BODY_BYTES : MAX_ANONYMOUS_BODY_BYTES;
      const read = (): Promise<Buffer> => readRawBody(ctx.req, byteLimit(limit));
      const text = await decode(ctx, await (caller ? read() : readWithoutCaller(ctx, read)), limit);
      ctx.request.body = parseJsonObject(text, 'The body');
      ctx.state.bodyText = text;
    }
    await next();
  };
}

async function decode(ctx: Context, bytes: Buffer, limit: number): Promise<string | undefined> {
  return decodeUtf8(await decompressBody(bytes, ctx.req.headers['content-encoding'], { codings: CODINGS, limit }));
}
