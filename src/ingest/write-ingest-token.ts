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

/** Tokens of a tap that are live, and as many more that are in grace. */
const MAX_LIVE_TOKENS = 5;

const MAX_EXPIRY_YEARS = 10;

/** The plaintext is here and nowhere else. */
export interface NewIngestToken {
  readonly token: string;
  readonly id: string;
}

/** Why a token of this state is not rotated. */
const ROTATION_ERRORS: Partial<Record<IngestTokenState, string>> = {
  in_grace: 'The token was rotated already; rotate the one that took its place.',
  expired: 'The token has expired; mint a new one.',
  revoked: 'The token was revoked; mint a new one.',
};

export async function mintIngestToken(
  tx: WorkspaceTransaction,
  { tenantConnectorTapId: tapId, expiresAt }: MintIngestTokenArgs,
): Promise<NewIngestToken> {
  const tap = await lockTap(tx, tapId);
  const now = new Date();
  if (expiresAt) requireValidExpiry(expiresAt, now);
  if ((await countTokens(tx, tapId, 'live', now)) >= MAX_LIVE_TOKENS)
    throw new AppError('CONFLICT', `${MAX_LIVE_TOKENS} tokens of the tap are live; rotate or revoke one of them.`);
  const { made, row } = addToken(tx, tap, expiresAt);
  tx.recordAudit('ingest_token.minted', row, { tapId, prefix: row.prefix, expiresAt });
  return made;
}

/**
 * Another token takes the place of this one, which still opens for `graceSeconds`, or until its own end where that comes first. The other
 * one has the end that this one had. CONFLICT for one that is not live, so that no grace is ever given twice.
 */
export async function rotateIngestToken(
  tx: WorkspaceTransaction,
  id: string,
  graceSeconds: number,
): Promise<NewIngestToken> {
  const { tap, token: old } = await lockIngestToken(tx, id);
  const now = new Date();
  const refusal = ROTATION_ERRORS[ingestTokenStateOf(old, now)];
  if (refusal) throw new AppError('CONFLICT', refusal);
  if ((await countTokens(tx, tap.id, 'in_grace', now)) >= MAX_LIVE_TOKENS)
    throw new AppError('CONFLICT', `${MAX_LIVE_TOKENS} tokens of the tap are in grace; revoke one of them first.`);
  const { made, row } = addToken(tx, tap, old.expiresAt);
  const graceEnd = new Date(now.getTime() + graceSeconds * 1_000);
  const end = old.expiresAt && old.expiresAt < graceEnd ? old.expiresAt : graceEnd;
  tx.update(old, { rotatedAt: now, expiresAt: end });
  tx.recordAudit('ingest_token.rotated', old, { tapId: tap.id, expiresAt: end, replacedBy: row.id });
  return made;
}

/** At once. One that is revoked already stays so. */
export async function revokeIngestToken(tx: WorkspaceTransaction, id: string): Promise<void> {
  const { tap, token } = await lockIngestToken(tx, id);
  if (token.revokedAt) return;
  tx.update(token, { revokedAt: new Date() });
  tx.recordAudit('ingest_token.revoked', token, { tapId: tap.id, prefix: token.prefix });
}

/** All that happens to tokens of a tap happens under the lock of the tap, so the token is read once that is held. */
async function lockIngestToken(
  tx: WorkspaceTransaction,
  id: string,
): Promise<{ tap: TenantConnectorTap; token: IngestToken }> {
  const found = await tx.read.byId(IngestToken, id);
  if (!found) throw new AppError('NOT_FOUND', 'There is no ingest token of that id.');
  const tap = await lockTap(tx, found.tap);
  return { tap, token: await tx.em.findOneOrFail(IngestToken, { id }) };
}

function addToken(
  tx: WorkspaceTransaction,
  tap: TenantConnectorTap,
  expiresAt: Date | null | undefined,
): { made: NewIngestToken; row: IngestToken } {
  const { token, hash, prefix } = newIngestToken();
  const row = tx.create(IngestToken, { tap: ref(tap), hash, prefix, ...(expiresAt && { expiresAt }) });
  return { made: { token, id: row.id }, row };
}

async function countTokens(
  tx: WorkspaceTransaction,
  tapId: string,
  state: IngestTokenState,
  now: Date,
): Promise<number> {
  const opening = { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] };
  const tokens = await tx.em.find(IngestToken, { ...relationEquals('tap_id', tapId), ...opening });
  return tokens.filter((token) => ingestTokenStateOf(token, now) === state).length;
}

function requireValidExpiry(expiresAt: Date, now: Date): void {
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + MAX_EXPIRY_YEARS);
  if (expiresAt <= now || expiresAt > latest)
    throw new AppError('BAD_REQUEST', `expiresAt must lie ahead, within ${MAX_EXPIRY_YEARS} years.`);
}
