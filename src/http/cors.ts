import cors from '@koa/cors';
import type { Middleware } from 'koa';

/**
 * Response headers that a script of another origin may read, in addition to the headers that the Fetch standard
 * exposes.
 */
const EXPOSED_HEADERS = [
  ...['X-Request-ID', 'X-Error-Code', 'ETag', 'Retry-After', 'WWW-Authenticate', 'Allow', 'Idempotency-Replayed'],
  ...['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'Deprecation', 'Sunset', 'Link'],
];

/** Time for which a browser caches the response to a preflight, in seconds. Equals the maximum of Chromium. */
const PREFLIGHT_SECONDS = 7_200;

/**
 * Lets scripts of these origins read responses, and responds to their preflights. Does not allow credentials, because a
 * script sets `Authorization` itself. The service never authenticates by a cookie that a browser would add.
 */
export function allowOrigins(origins: readonly string[]): Middleware {
  return cors({
    origin: ({ headers: { origin = '' } }) => (origins.includes(origin) ? origin : ''),
    exposeHeaders: EXPOSED_HEADERS,
    allowMethods: 'GET, HEAD, POST, PUT, PATCH, DELETE',
    maxAge: PREFLIGHT_SECONDS,
  });
}

/** Returns the headers of `allowOrigins`, for responses that Koa does not send. */
export function corsHeaders(origins: readonly string[], origin: string | undefined): Record<string, string> {
  if (origins.length === 0) return {};
  if (!origin || !origins.includes(origin)) return { Vary: 'Origin' };
  const exposed = EXPOSED_HEADERS.join(',');
  return { Vary: 'Origin', 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposed };
}
