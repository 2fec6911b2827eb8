import { hasExpired, pollUntil } from '../../kernel/concurrency/lease.js';
import { decodeId } from '../../kernel/ids.js';
import type { WorkspaceContext } from '../workspace-context.js';
import type { WorkspaceTransaction } from '../workspace-transaction.js';
import {
  claimIdempotencyKey,
  type FingerprintedRequest,
  type IdempotentResponse,
  readSavedResponse,
  requestInProgressError,
} from './idempotency-key.js';

const POLL_INTERVAL_MS = 200;

/**
 * A takeover changes the id of the expired claim, so that the former owner can no longer save a response or release the
 * claim.
 */
const ACQUIRE_CLAIM = `
insert into idempotent_request (id, tenant_id, caller_id, key, created_at, fingerprint, reply, claimed_until)
values (gen_random_uuid(), ?, ?, ?, now(), ?, '', now() + make_interval(secs => ?))
on conflict (tenant_id, caller_id, key) do update
set id = excluded.id, created_at = excluded.created_at, claimed_until = excluded.claimed_until
where ${hasExpired('idempotent_request.claimed_until')} and idempotent_request.fingerprint = excluded.fingerprint returning id`;

const SAVE_RESPONSE =
  'update idempotent_request set reply = ?, file_sha256 = ?, claimed_until = null where tenant_id = ? and id = ?';
const RELEASE_CLAIM = 'delete from idempotent_request where tenant_id = ? and id = ?';

interface ClaimTimes {
  /** After this time, another request may take over the claim of a crashed process. */
  readonly leaseMs: number;
  /** Time of `performance.now()` at which a duplicate request stops waiting. */
  readonly deadline: number;
}

/**
 * Commits the claim on the key before the calls to third parties, and saves the response after them. During the calls,
 * the request therefore uses no database connection. A duplicate waits until `deadline` for the saved response, and
 * then fails with CONFLICT. A failed request releases its claim. After a crash, or a failure to save the response, the
 * claim expires, and a later retry executes the request again.
 */
export async function executeOutsideTransaction(
  { write, caller }: WorkspaceContext,
  request: FingerprintedRequest,
  { leaseMs, deadline }: ClaimTimes,
  execute: () => Promise<string>,
): Promise<IdempotentResponse> {
  const tenantId = decodeId(caller.tenantId);
  const claimOrRecall = async (tx: WorkspaceTransaction) =>
    (await claimIdempotencyKey(tx, request, ACQUIRE_CLAIM, [leaseMs / 1_000])) ??
    (await readSavedResponse(tx, request));
  const found = await pollUntil(() => write(claimOrRecall), { deadline, intervalMs: POLL_INTERVAL_MS });
  if (!found) throw requestInProgressError();
  if ('text' in found) return found;
  const claim = [tenantId, found.id];
  const text = await execute().catch(async (error: unknown) => {
    // If this fails, the claim expires.
    await write(({ em }) => em.execute(RELEASE_CLAIM, claim)).catch(() => undefined);
    throw error;
  });
  const fileSha256 = (await request.file?.sha256()) ?? null;
  await write(({ em }) => em.execute(SAVE_RESPONSE, [text, fileSha256, ...claim]));
  return { text, isReplay: false };
}
