import type { StatusView } from '../../ui/tone.js';

interface TokenTimes {
  readonly expiresAt?: string | null;
  readonly revokedAt?: string | null;
  readonly rotatedAt?: string | null;
}

export type TokenState = 'live' | 'grace' | 'expired' | 'revoked';

export const TOKEN_STATES: Readonly<Record<TokenState, StatusView>> = {
  live: { label: 'Live', tone: 'good' },
  grace: { label: 'In grace period', tone: 'warn' },
  expired: { label: 'Expired', tone: 'neutral' },
  revoked: { label: 'Revoked', tone: 'neutral' },
};

/** A rotated token remains valid until its grace period ends. */
export function tokenStateOf({ expiresAt, revokedAt, rotatedAt }: TokenTimes, now = Date.now()): TokenState {
  if (revokedAt) return 'revoked';
  if (expiresAt && Date.parse(expiresAt) <= now) return 'expired';
  return rotatedAt ? 'grace' : 'live';
}

export function isAccepted(token: TokenTimes): boolean {
  return ['live', 'grace'].includes(tokenStateOf(token));
}
