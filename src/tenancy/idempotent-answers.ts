import { setTimeout as sleep } from 'node:timers/promises';
import { Turns } from '../kernel/turns.js';
import { answerCallingOut } from './answer-calling-out.js';
import { answerOnce } from './answer-once.js';
import {
  type OnceAnswered,
  PATIENCE,
  type RepeatableRequest,
  requireSameFile,
  stillUnderWay,
  withFingerprint,
} from './repeatable-request.js';
import type { WorkspaceContext } from './workspace-context.js';
import type { WorkspaceTransaction } from './workspace-transaction.js';

/** Milliseconds that a request which calls out may take, unless it says how long; third parties are given less. */
const LEASE = 120_000;

/** Requests at once that hold a transaction open to their end: half of the connections, since one of them may need a second, to seal a secret. */
const MOST_HELD = 5;

/**
 * Gives each request with an Idempotency-Key the answer that the first one of its caller with that key was given. Twins in this process
 * wait for each other here: in the database each of them would hold a connection.
 */
export class IdempotentAnswers {
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #held = new Turns(MOST_HELD);

  /** `lease` and `patience` are milliseconds: after which a claim may be taken over, and that a twin waits. */
  constructor(private readonly times = { lease: LEASE, patience: PATIENCE }) {}

  async once(
    context: WorkspaceContext,
    request: RepeatableRequest,
    answer: (context: WorkspaceContext) => Promise<string>,
  ): Promise<OnceAnswered> {
    const { caller, write } = context;
    const { patience } = this.times;
    const lease = request.lease === undefined ? this.times.lease : request.lease * 1_000;
    const name = `${caller.tenantId} ${caller.id} ${request.key}`;
    const until = performance.now() + patience;
    while (this.#underWay.has(name)) await patiently(this.#underWay.get(name), until - performance.now());
    const identifying = withFingerprint(caller, request);
    const answering = identifying.then((known) =>
      known.callsOut
        ? answerCallingOut(context, known, { lease, until }, () => answer(context))
        : this.#held.take(() => write((tx) => answerOnce(tx, known, () => answer(inside(context, tx))))),
    );
    const settled = answering.then(ignore, ignore).finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, settled);
    const answered = await answering;
    await requireSameFile(await identifying, answered); // by now other repetitions need not wait for this one
    return answered;
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
