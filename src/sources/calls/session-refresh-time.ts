import type { Session } from '../session.js';

const REFRESH_AHEAD_MS = 5 * 60_000;

/**
 * When a session is to be renewed, in milliseconds since 1970: 5 minutes or a tenth of its lifetime before it ends,
 * whichever is earlier, but never before half of its life, so that a short one is not renewed by every call. None where
 * nobody knows when it ends.
 */
export function sessionRefreshTimeOf({ expiresAt, obtainedAt }: Session): number | undefined {
  if (expiresAt === undefined) return undefined;
  const lifetime = Math.max(0, expiresAt - obtainedAt);
  return expiresAt - Math.min(Math.max(REFRESH_AHEAD_MS, lifetime / 10), lifetime / 2);
}
