import type { Middleware } from 'koa';
import { decodeUtf8, parseObject, readRaw } from '../rest-facade/body.js';
import { readGraphqlForm } from './graphql-form.js';
import { type ContentCoding, unpack } from './kernel/unpack.js';
import { isForm } from './request-arrival.js';

declare module 'koa' {
  interface Request {
    body?: unknown;
  }
}

/** Bytes of a body as it is sent, and of what a compressed one unpacks to. */
const MAX_BODY = 1024 * 1024;

const CODINGS: readonly ContentCoding[] = ['gzip', 'deflate', 'br'];

const JSON_TYPE = /^application\/json *(?:;|$)/i;

/** Reads the body of a POST. One of another type is left alone, since the endpoint then rejects the request. */
const readJson: Middleware = async (ctx, next) => {
  ctx.request.body = {};
  if (ctx.method === 'POST' && JSON_TYPE.test(ctx.get('Content-Type'))) {
    const bytes = await readRaw(ctx.req, MAX_BODY);
    const text = decodeUtf8(
      await unpack(bytes, ctx.req.headers['content-encoding'], { codings: CODINGS, limit: MAX_BODY }),
    );
    ctx.request.body = parseObject(text, 'The body');
  }
  await next();
};

/** The fields of a GraphQL request over HTTP, from JSON or from a form with a file. */
export const readGraphqlBody: Middleware = (ctx, next) =>
  ctx.method === 'POST' && isForm(ctx.req) ? readGraphqlForm(ctx, next) : readJson(ctx, next);
