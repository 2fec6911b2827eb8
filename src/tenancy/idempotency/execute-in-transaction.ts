import type { WorkspaceTransaction } from '../workspace-transaction.js';
import {
  claimIdempotencyKey,
  type FingerprintedRequest,
  type IdempotentResponse,
  readSavedResponse,
  requestInProgressError,
  uniqueKeyOf,
} from './idempotency-key.js';

/** A duplicate request blocks here on the unique key until the first transaction ends. */
const INSERT_CLAIM = `
insert into idempotent_request (id, tenant_id, caller_id, key, created_at, fingerprint, reply)
values (gen_random_uuid(), ?, ?, ?, now(), ?, '') on conflict (tenant_id, caller_id, key) do nothing returning id`;

const SAVE_RESPONSE = 'update idempotent_request set reply = ? where tenant_id = ? and caller_id = ? and key = ?';

/**
 * The claim on the key, the effect and the saved response belong to one transaction. A crash therefore leaves all of
 * them or none, and a failed request may be retried with the same key.
 */
export async function executeInTransaction(
  tx: WorkspaceTransaction,
  request: FingerprintedRequest,
  execute: () => Promise<string>,
): Promise<IdempotentResponse> {
  if (await claimIdempotencyKey(tx, request, INSERT_CLAIM, [])) {
    const text = await execute();
    await tx.em.execute(SAVE_RESPONSE, [text, ...uniqueKeyOf(tx, request)]);
    return { text, isReplay: false };
  }
  const first = await readSavedResponse(tx, request);
  if (!first) throw requestInProgressError();
  return first;
}
