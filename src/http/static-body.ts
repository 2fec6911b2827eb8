import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { compress, negotiateCoding } from '../../rest-facade/content-coding.js';
import { isNotModified } from '../../rest-facade/envelope.js';
import type { ContentCoding } from '../../rest-facade/representation.js';

interface Encoded {
  readonly bytes: Buffer;
  /** Strong validator. Differs between content codings. */
  readonly etag: string;
}

/**
 * If `body` is a function, the first request calls it. For each content coding, the first request that prefers this
 * coding encodes the body.
 */
export function serveStaticBody(
  type: string,
  body: string | Buffer | (() => string),
  cacheControl = 'public, no-cache',
): (ctx: Context) => Promise<void> {
  let plain: Buffer | undefined;
  const encoded = new Map<ContentCoding | undefined, Promise<Encoded>>();

  async function encode(all: Buffer, coding: ContentCoding | undefined): Promise<Encoded> {
    const bytes = coding ? await compress(coding, all) : all;
    return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
  }

  return async (ctx) => {
    plain ??= Buffer.from(typeof body === 'function' ? body() : body);
    const coding = negotiateCoding(ctx, plain.length);
    const made = encoded.get(coding) ?? encode(plain, coding);
    encoded.set(coding, made);
    const { bytes, etag } = await made;
    if (isNotModified(ctx, etag, cacheControl)) return;
    ctx.type = type;
    if (coding) ctx.set('Content-Encoding', coding);
    ctx.body = bytes;
  };
}
