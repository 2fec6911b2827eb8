import type { IngestToken } from './ingest-token.js';

/** `live` ones open until their own end, if they have one. `in_grace` ones were rotated and still open. The others open no more. */
export type IngestTokenState = 'live' | 'in_grace' | 'expired' | 'revoked';

type Times = Pick<IngestToken, 'revokedAt' | 'expiresAt' | 'rotatedAt'>;

export function ingestTokenStateOf({ revokedAt, expiresAt, rotatedAt }: Times, now: Date): IngestTokenState {
  if (revokedAt) return 'revoked';
  if (expiresAt && expiresAt <= now) return 'expired';
  return rotatedAt ? 'in_grace' : 'live';
}
