import cors from '@koa/cors';
import type { Middleware } from 'koa';

/**
 * Scripts of another origin may read these response headers, in addition to the headers that the Fetch standard
 * exposes.
 */
const EXPOSED_HEADERS = [
  ...['X-Request-ID', 'X-Error-Code', 'ETag', 'Retry-After', 'WWW-Authenticate', 'Allow', 'Idempotency-Replayed'],
  ...['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'Deprecation', 'Sunset', 'Link'],
];

/** Chromium caches the response to a preflight for at most this time. */
const PREFLIGHT_SECONDS = 7_200;

/**
 * Does not allow credentials such as cookies. Scripts set `Authorization` themselves, and the service never
 * authenticates by a cookie.
 */
export function allowOrigins(origins: readonly string[]): Middleware {
  return cors({
    origin: ({ headers: { origin = '' } }) => (origins.includes(origin) ? origin : ''),
    exposeHeaders: EXPOSED_HEADERS,
    allowMethods: 'GET, HEAD, POST, PUT, PATCH, DELETE',
    maxAge: PREFLIGHT_SECONDS,
  });
}

/** The headers of `allowOrigins`, for responses that Koa does not send. */
export function corsHeaders(origins: readonly string[], origin: string | undefined): Record<string, string> {
  if (origins.length === 0) return {};
  if (!origin || !origins.includes(origin)) return { Vary: 'Origin' };
  const exposed = EXPOSED_HEADERS.join(',');
  return { Vary: 'Origin', 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposed };
}
