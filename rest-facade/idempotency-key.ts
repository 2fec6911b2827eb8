import type { Context } from 'koa';
import { FacadeError } from './errors.js';
import { acceptsIdempotencyKey, type Route } from './routes/route.js';

/** The key under which a request may be repeated, where it brings one and the endpoint takes one. */
export function readIdempotencyKey(ctx: Context, route: Route): string | undefined {
  const key = ctx.headers['idempotency-key'];
  if (key === undefined || !acceptsIdempotencyKey(route)) return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new FacadeError('BAD_REQUEST', 'Idempotency-Key must be 1 to 255 visible ASCII characters.');
}
