import type { Session } from '../session.js';

const REFRESH_AHEAD_MS = 5 * 60_000;

/**
 * Returns the time to renew a session, in milliseconds since 1970: a tenth of the lifetime before the expiry, but at
 * least 5 minutes. If the lifetime is below 10 minutes, returns the middle of the lifetime, because every call could
 * otherwise renew the session. Returns undefined without a known expiry.
 */
export function sessionRefreshTimeOf({ expiresAt, obtainedAt }: Session): number | undefined {
  if (expiresAt === undefined) return undefined;
  const lifetime = Math.max(0, expiresAt - obtainedAt);
  return expiresAt - Math.min(Math.max(REFRESH_AHEAD_MS, lifetime / 10), lifetime / 2);
}
