import cors from '@koa/cors';
import type { Middleware } from 'koa';

/** Response headers that a script of another origin may read, beside those that the Fetch standard always shows. */
const EXPOSED_HEADERS = [
  ...['X-Request-ID', 'X-Error-Code', 'ETag', 'Retry-After', 'WWW-Authenticate', 'Allow', 'Idempotency-Replayed'],
  ...['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'Deprecation', 'Sunset', 'Link'],
];

/** Seconds that a browser keeps the reply to a preflight: the most that Chromium keeps it. */
const PREFLIGHT_SECONDS = 7_200;

/**
 * Lets scripts of these origins read replies, and answers their preflights. Without credentials: the service authenticates by
 * `Authorization`, which a script sets itself, and never by a cookie that a browser would add.
 */
export function allowOrigins(origins: readonly string[]): Middleware {
  return cors({
    origin: ({ headers: { origin = '' } }) => (origins.includes(origin) ? origin : ''),
    exposeHeaders: EXPOSED_HEADERS,
    allowMethods: 'GET, HEAD, POST, PUT, PATCH, DELETE',
    maxAge: PREFLIGHT_SECONDS,
  });
}

/** The same headers, for replies that Koa does not send. */
export function corsHeaders(origins: readonly string[], origin: string | undefined): Record<string, string> {
  if (origins.length === 0) return {};
  if (!origin || !origins.includes(origin)) return { Vary: 'Origin' };
  const exposed = EXPOSED_HEADERS.join(',');
  return { Vary: 'Origin', 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposed };
}
