import { setTimeout as sleep } from 'node:timers/promises';
import { answerOnce, type OnceAnswered, PATIENCE, type RepeatableRequest, stillUnderWay } from './answer-once.js';
import type { WorkspaceContext } from './workspace-context.js';
import type { WorkspaceTransaction } from './workspace-transaction.js';

/**
 * Gives each request with an Idempotency-Key the answer that the first one of its caller with that key was given. Twins in this process
 * wait for each other here: in the database each of them would hold a connection.
 */
export class IdempotentAnswers {
  readonly #underWay = new Map<string, Promise<void>>();

  async once(
    context: WorkspaceContext,
    request: RepeatableRequest,
    answer: (context: WorkspaceContext) => Promise<string>,
  ): Promise<OnceAnswered> {
    const { caller, write } = context;
    const name = `${caller.tenantId} ${caller.id} ${request.key}`;
    const until = performance.now() + PATIENCE;
    while (this.#underWay.has(name)) await patiently(this.#underWay.get(name), until - performance.now());
    const answering = write((tx) => answerOnce(tx, request, () => answer(inside(context, tx))));
    const settled = answering.then(ignore, ignore).finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, settled);
    return answering;
  }
}

/** The same request within a transaction: it writes there, and reads what it wrote. */
function inside(context: WorkspaceContext, tx: WorkspaceTransaction): WorkspaceContext {
  const write: WorkspaceContext['write'] = async (work) => {
    const result = await work(tx);
    await tx.em.flush();
    tx.read.forget();
    return result;
  };
  return { ...context, read: tx.read, write };
}

async function patiently(work: Promise<void> | undefined, milliseconds: number): Promise<void> {
  const late = Symbol();
  if ((await Promise.race([work, sleep(milliseconds, late, { ref: false })])) === late) throw stillUnderWay();
}

function ignore(): void {}
