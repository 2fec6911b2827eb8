import type { Middleware } from 'koa';
import { compress, negotiateCoding } from '../../rest-facade/content-coding.js';

/**
 * Skips streams, and all responses with `Cache-Control: no-transform`. Makes ETags weak, because the bytes differ from
 * the uncompressed bytes (RFC 9110, section 8.8.1).
 */
export const compressResponses: Middleware = async (ctx, next) => {
  await next();
  const { body, res } = ctx;
  if ((typeof body !== 'string' && !Buffer.isBuffer(body)) || res.hasHeader('Content-Encoding')) return;
  if (String(res.getHeader('Cache-Control')).includes('no-transform')) return;
  const coding = negotiateCoding(ctx, ctx.length ?? 0);
  if (!coding) return;
  const etag = res.getHeader('ETag');
  if (etag !== undefined) ctx.set('ETag', `W/${etag}`);
  ctx.set('Content-Encoding', coding);
  ctx.body = await compress(coding, body);
};
