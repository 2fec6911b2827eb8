import type { IngestToken } from './ingest-token.js';

/**
 * `live` and `in_grace` tokens are valid. An `in_grace` token was rotated, and expires at the end of its grace period.
 */
export type IngestTokenState = 'live' | 'in_grace' | 'expired' | 'revoked';

type Times = Pick<IngestToken, 'revokedAt' | 'expiresAt' | 'rotatedAt'>;

export function ingestTokenStateOf({ revokedAt, expiresAt, rotatedAt }: Times, now: Date): IngestTokenState {
  if (revokedAt) return 'revoked';
  if (expiresAt && expiresAt <= now) return 'expired';
  return rotatedAt ? 'in_grace' : 'live';
}
