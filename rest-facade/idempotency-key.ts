import type { Context } from 'koa';
import { FacadeError } from './errors.js';
import { acceptsIdempotencyKey, type Route } from './routes/route.js';

/**
 * Returns undefined if the header is missing or the endpoint does not support it. Throws BAD_REQUEST for an invalid
 * key.
 */
export function readIdempotencyKey(ctx: Context, route: Route): string | undefined {
  const key = ctx.headers['idempotency-key'];
  if (key === undefined || !acceptsIdempotencyKey(route)) return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new FacadeError('BAD_REQUEST', 'Idempotency-Key must be 1 to 255 visible ASCII characters.');
}
