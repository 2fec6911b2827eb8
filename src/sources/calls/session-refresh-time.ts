import type { Session } from '../session.js';

const REFRESH_AHEAD_MS = 5 * 60_000;

/**
 * Time to renew a session, in milliseconds since 1970: 5 minutes or a tenth of its lifetime before expiry, whichever is
 * earlier. The time is not before half of the lifetime, so that a short session is not renewed by every call. Undefined
 * without a known expiry.
 */
export function sessionRefreshTimeOf({ expiresAt, obtainedAt }: Session): number | undefined {
  if (expiresAt === undefined) return undefined;
  const lifetime = Math.max(0, expiresAt - obtainedAt);
  return expiresAt - Math.min(Math.max(REFRESH_AHEAD_MS, lifetime / 10), lifetime / 2);
}
