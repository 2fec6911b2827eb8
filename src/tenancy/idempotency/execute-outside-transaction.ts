import { setTimeout as sleep } from 'node:timers/promises';
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

/** How often, in milliseconds, a twin looks whether the one that came first, in another process, is done. */
const POLL_INTERVAL_MS = 200;

/** A claim that ran out is taken over under an id of its own, so that whoever lost it can neither answer nor give it up any more. */
const ACQUIRE_CLAIM = `
insert into idempotent_request (id, tenant_id, caller_id, key, created_at, fingerprint, reply, claimed_until)
values (gen_random_uuid(), ?, ?, ?, now(), ?, '', now() + make_interval(secs => ?))
on conflict (tenant_id, caller_id, key) do update
set id = excluded.id, created_at = excluded.created_at, claimed_until = excluded.claimed_until
where idempotent_request.claimed_until <= now() and idempotent_request.fingerprint = excluded.fingerprint returning id`;

const SAVE_RESPONSE =
  'update idempotent_request set reply = ?, file_sha256 = ?, claimed_until = null where tenant_id = ? and id = ?';
const RELEASE_CLAIM = 'delete from idempotent_request where tenant_id = ? and id = ?';

interface ClaimTimes {
  /** Milliseconds after which the claim of a process that died may be taken over. */
  readonly leaseMs: number;
  /** On the clock of `performance.now()`: how long a twin waits. */
  readonly deadline: number;
}

/**
 * The claim on the key is committed before the request calls out, and its answer is kept afterwards, so no connection is held
 * meanwhile. What fails gives its claim up at once. What dies, or cannot keep its answer, leaves a claim that runs out: what was
 * done until then may be done again.
 */
export async function executeOutsideTransaction(
  { write, caller }: WorkspaceContext,
  request: FingerprintedRequest,
  { leaseMs: lease, deadline: until }: ClaimTimes,
  execute: () => Promise<string>,
): Promise<IdempotentResponse> {
  const tenantId = decodeId(caller.tenantId);
  const claimOrRecall = async (tx: WorkspaceTransaction) =>
    (await claimIdempotencyKey(tx, request, ACQUIRE_CLAIM, [lease / 1_000])) ?? (await readSavedResponse(tx, request));
  let found = await write(claimOrRecall);
  while (!found) {
    if (performance.now() + POLL_INTERVAL_MS > until) throw requestInProgressError();
    await sleep(POLL_INTERVAL_MS);
    found = await write(claimOrRecall);
  }
  if ('text' in found) return found;
  const claim = [tenantId, found.id];
  const text = await execute().catch(async (error: unknown) => {
    await write(({ em }) => em.execute(RELEASE_CLAIM, claim)).catch(() => undefined); // then it runs out
    throw error;
  });
  const fileSha256 = (await request.file?.sha256()) ?? null;
  await write(({ em }) => em.execute(SAVE_RESPONSE, [text, fileSha256, ...claim]));
  return { text, isReplay: false };
}
