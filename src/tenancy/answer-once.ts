import {
  claimKey,
  type KnownRequest,
  type OnceAnswered,
  ownerOf,
  recall,
  stillUnderWay,
} from './repeatable-request.js';
import type { WorkspaceTransaction } from './workspace-transaction.js';

/** Twins wait here until the first one has committed: its row is unique, and not there for others before. */
const CLAIM = `
insert into idempotent_request (id, tenant_id, caller_id, key, created_at, fingerprint, reply)
values (gen_random_uuid(), ?, ?, ?, now(), ?, '') on conflict (tenant_id, caller_id, key) do nothing returning id`;

const KEEP = 'update idempotent_request set reply = ? where tenant_id = ? and caller_id = ? and key = ?';

/**
 * The claim on the key, the effect and the kept answer are one transaction, so a crash leaves all of them or none, and
 * what fails may be tried again under the same key.
 */
export async function answerOnce(
  tx: WorkspaceTransaction,
  request: KnownRequest,
  answer: () => Promise<string>,
): Promise<OnceAnswered> {
  if (await claimKey(tx, request, CLAIM, [])) {
    const text = await answer();
    await tx.em.execute(KEEP, [text, ...ownerOf(tx, request)]);
    return { text, isReplay: false };
  }
  const first = await recall(tx, request);
  if (!first) throw stillUnderWay();
  return first;
}
