import type { WorkspaceTransaction } from '../workspace-transaction.js';
import {
  claimIdempotencyKey,
  type FingerprintedRequest,
  type IdempotentResponse,
  readSavedResponse,
  requestInProgressError,
  uniqueKeyOf,
} from './idempotency-key.js';

/** The statement of a duplicate request waits for the unique key until the transaction of the first request ends. */
const INSERT_CLAIM = `
insert into idempotent_request (id, tenant_id, caller_id, key, created_at, fingerprint, reply)
values (gen_random_uuid(), ?, ?, ?, now(), ?, '') on conflict (tenant_id, caller_id, key) do nothing returning id`;

const SAVE_RESPONSE = 'update idempotent_request set reply = ? where tenant_id = ? and caller_id = ? and key = ?';

/**
 * One transaction contains the changes of the request, the claim on its key and its saved response, so that a crash
 * leaves all of them or none. A client may retry a failed request with the same key. Returns the saved response for a
 * duplicate.
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
