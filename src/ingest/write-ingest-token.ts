import { ref } from '@mikro-orm/core';
import type { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import { relationEquals } from '../kernel/entities/tenant-table.js';
import { AppError } from '../kernel/errors.js';
import { lockTap } from '../tables/existing-tap.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import type { MintIngestTokenArgs } from './ingest-token.inputs.js';
import { IngestToken } from './ingest-token.js';
import { type IngestTokenState, ingestTokenStateOf } from './ingest-token-state.js';
import { newIngestToken } from './ingest-token-text.js';

/** Maximum number of live tokens per tap. The same maximum applies separately to tokens in their grace period. */
const MAX_LIVE_TOKENS = 5;

const MAX_EXPIRY_YEARS = 10;

export interface NewIngestToken {
  /** The only copy of the plain text, because the database stores its hash. */
  readonly token: string;
  readonly id: string;
}

const ROTATION_ERRORS: Partial<Record<IngestTokenState, string>> = {
  in_grace: 'The token was already rotated. Rotate the token that replaced it.',
  expired: 'The token has expired. Create a new token.',
  revoked: 'The token is revoked. Create a new token.',
};

export async function mintIngestToken(
  tx: WorkspaceTransaction,
  { tenantConnectorTapId: tapId, expiresAt }: MintIngestTokenArgs,
): Promise<NewIngestToken> {
  const tap = await lockTap(tx, tapId);
  const now = new Date();
  if (expiresAt) requireValidExpiry(expiresAt, now);
  if ((await countTokens(tx, tapId, 'live', now)) >= MAX_LIVE_TOKENS)
    throw new AppError(
      'CONFLICT',
      `The tap already has ${MAX_LIVE_TOKENS} live tokens, which is the maximum. To replace a token, rotate it. To add a token, first revoke one of these tokens.`,
    );
  const { created, row } = addToken(tx, tap, expiresAt);
  tx.recordAudit('ingest_token.minted', row, { tapId, prefix: row.prefix, expiresAt });
  return created;
}

/**
 * The new token inherits the expiry of the old token. The old token remains valid for `graceSeconds`, or until its
 * expiry if that is earlier. Throws CONFLICT if the old token is revoked, expired or already in its grace period.
 * Throws CONFLICT if the tap already has `MAX_LIVE_TOKENS` tokens in their grace period.
 */
export async function rotateIngestToken(
  tx: WorkspaceTransaction,
  id: string,
  graceSeconds: number,
): Promise<NewIngestToken> {
  const { tap, token: old } = await lockIngestToken(tx, id);
  const now = new Date();
  const message = ROTATION_ERRORS[ingestTokenStateOf(old, now)];
  if (message) throw new AppError('CONFLICT', message);
  if ((await countTokens(tx, tap.id, 'in_grace', now)) >= MAX_LIVE_TOKENS)
    throw new AppError(
      'CONFLICT',
      `The tap has ${MAX_LIVE_TOKENS} tokens in their grace period, which is the maximum. Revoke one of these tokens first.`,
    );
  const { created, row } = addToken(tx, tap, old.expiresAt);
  const graceEnd = new Date(now.getTime() + graceSeconds * 1_000);
  const end = old.expiresAt && old.expiresAt < graceEnd ? old.expiresAt : graceEnd;
  tx.update(old, { rotatedAt: now, expiresAt: end });
  tx.recordAudit('ingest_token.rotated', old, { tapId: tap.id, expiresAt: end, replacedBy: row.id });
  return created;
}

/** Idempotent. */
export async function revokeIngestToken(tx: WorkspaceTransaction, id: string): Promise<void> {
  const { tap, token } = await lockIngestToken(tx, id);
  if (token.revokedAt) return;
  tx.update(token, { revokedAt: new Date() });
  tx.recordAudit('ingest_token.revoked', token, { tapId: tap.id, prefix: token.prefix });
}

/** Locks the tap, and then reads the token again, because the lock of the tap guards its tokens. */
async function lockIngestToken(
  tx: WorkspaceTransaction,
  id: string,
): Promise<{ tap: TenantConnectorTap; token: IngestToken }> {
  const found = await tx.read.byId(IngestToken, id);
  if (!found) throw new AppError('NOT_FOUND', 'The ingest token does not exist.');
  const tap = await lockTap(tx, found.tap);
  return { tap, token: await tx.em.findOneOrFail(IngestToken, { id }) };
}

function addToken(
  tx: WorkspaceTransaction,
  tap: TenantConnectorTap,
  expiresAt: Date | null | undefined,
): { created: NewIngestToken; row: IngestToken } {
  const { token, hash, prefix } = newIngestToken();
  const row = tx.create(IngestToken, { tap: ref(tap), hash, prefix, ...(expiresAt && { expiresAt }) });
  return { created: { token, id: row.id }, row };
}

async function countTokens(
  tx: WorkspaceTransaction,
  tapId: string,
  state: IngestTokenState,
  now: Date,
): Promise<number> {
  const valid = { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] };
  const tokens = await tx.em.find(IngestToken, { ...relationEquals('tap_id', tapId), ...valid });
  return tokens.filter((token) => ingestTokenStateOf(token, now) === state).length;
}

function requireValidExpiry(expiresAt: Date, now: Date): void {
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + MAX_EXPIRY_YEARS);
  if (expiresAt <= now || expiresAt > latest)
    throw new AppError('BAD_REQUEST', `expiresAt must be in the future, at most ${MAX_EXPIRY_YEARS} years ahead.`);
}
