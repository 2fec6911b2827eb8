import { createHash } from 'node:crypto';
import { AppError } from '../kernel/errors.js';
import { decodeId } from '../kernel/ids.js';
import type { WorkspaceTransaction } from './workspace-transaction.js';

/** A request with an Idempotency-Key. */
export interface RepeatableRequest {
  readonly key: string;
  readonly operation: string;
  readonly variables: object;
}

export interface OnceAnswered {
  readonly text: string;
  /** The text is that of an earlier request. */
  readonly isReplay: boolean;
}

/** How long an answer is kept; a key may be used anew after that. */
const KEPT = '24 hours';

/** How long, in milliseconds, a twin waits for the one that came first. */
export const PATIENCE = 10_000;

/** Answers that ran out and are cleared away along with a new one, at the most. */
const CLEARED = 100;

/** What others clear away at the moment is left to them; only a twin is waited for. */
const CLEAR = `
delete from idempotent_request where id in (
  select id from idempotent_request where tenant_id = ? and created_at < now() - interval '${KEPT}' limit ${CLEARED}
  for update skip locked
) or (tenant_id = ? and caller_id = ? and key = ? and created_at < now() - interval '${KEPT}')`;

/** Twins wait here until the first one has committed: its row is unique, and not there for others before. */
const CLAIM = `
insert into idempotent_request (id, tenant_id, caller_id, key, created_at, fingerprint, reply)
values (gen_random_uuid(), ?, ?, ?, now(), ?, '') on conflict (tenant_id, caller_id, key) do nothing returning id`;

const KEEP = 'update idempotent_request set reply = ? where tenant_id = ? and caller_id = ? and key = ?';
const RECALL = 'select fingerprint, reply from idempotent_request where tenant_id = ? and caller_id = ? and key = ?';

/**
 * The claim on the key, the effect and the kept answer are one transaction, so a crash leaves all of them or none, and
 * what fails may be tried again under the same key.
 */
export async function answerOnce(
  { em, caller }: WorkspaceTransaction,
  { key, operation, variables }: RepeatableRequest,
  answer: () => Promise<string>,
): Promise<OnceAnswered> {
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([operation, variables]))
    .digest('hex');
  const [tenantId, callerId] = [decodeId(caller.tenantId), decodeId(caller.id)];
  const ours = [tenantId, callerId, key];
  await em.execute(`set local lock_timeout = ${PATIENCE}`);
  const claim = async (): Promise<unknown[]> => {
    await em.execute(CLEAR, [tenantId, ...ours]);
    return em.execute(CLAIM, [...ours, fingerprint]);
  };
  const [claimed] = await claim().catch((error: { code?: string }) => {
    if (error.code !== '55P03') throw error; // lock_not_available
    throw stillUnderWay();
  });
  if (claimed) {
    await em.execute('set local lock_timeout to default');
    const text = await answer();
    await em.execute(KEEP, [text, ...ours]);
    return { text, isReplay: false };
  }
  const [first] = await em.execute<{ fingerprint: string; reply: string }[]>(RECALL, ours);
  if (first?.fingerprint !== fingerprint)
    throw new AppError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another request.');
  return { text: first.reply, isReplay: true };
}

export function stillUnderWay(): AppError {
  return new AppError('CONFLICT', 'A request with this Idempotency-Key is still under way.');
}
