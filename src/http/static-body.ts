import type { Context } from 'koa';
import { type ContentCoding, compress, negotiateCoding } from '../../rest-facade/content-coding.js';

/**
 * Sends a body that is the same for every request. Each content coding is created for the first request that prefers
 * it.
 */
export function serveStaticBody(type: string, body: string | Buffer): (ctx: Context) => Promise<void> {
  const plain = Buffer.from(body);
  const encoded: Partial<Record<ContentCoding, Promise<Buffer>>> = {};
  return async (ctx) => {
    const coding = negotiateCoding(ctx, plain.length);
    ctx.type = type;
    if (coding) ctx.set('Content-Encoding', coding);
    ctx.body = coding ? await (encoded[coding] ??= compress(coding, plain)) : plain;
  };
}
