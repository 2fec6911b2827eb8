import { setTimeout as sleep } from 'node:timers/promises';
import { Semaphore } from '../../kernel/concurrency/semaphore.js';
import type { WorkspaceContext } from '../workspace-context.js';
import type { WorkspaceTransaction } from '../workspace-transaction.js';
import { executeInTransaction } from './execute-in-transaction.js';
import { executeOutsideTransaction } from './execute-outside-transaction.js';
import {
  DUPLICATE_WAIT_TIMEOUT_MS,
  fingerprintRequest,
  type IdempotentResponse,
  type KeyedRequest,
  requestInProgressError,
  requireSameFile,
} from './idempotency-key.js';

/** Milliseconds that a request which calls out may take, unless it says how long; third parties are given less. */
const CLAIM_LEASE_MS = 120_000;

/** Requests at once that hold a transaction open to their end: half of the connections, since one of them may need a second, to seal a secret. */
const MAX_OPEN_TRANSACTIONS = 5;

/**
 * Gives each request with an Idempotency-Key the answer that the first one of its caller with that key was given. Twins in this process
 * wait for each other here: in the database each of them would hold a connection.
 */
export class IdempotentExecutor {
  readonly #inFlight = new Map<string, Promise<void>>();
  readonly #openTransactions = new Semaphore(MAX_OPEN_TRANSACTIONS);

  /** `lease` and `patience` are milliseconds: after which a claim may be taken over, and that a twin waits. */
  constructor(private readonly times = { lease: CLAIM_LEASE_MS, patience: DUPLICATE_WAIT_TIMEOUT_MS }) {}

  async execute(
    context: WorkspaceContext,
    request: KeyedRequest,
    answer: (context: WorkspaceContext) => Promise<string>,
  ): Promise<IdempotentResponse> {
    const { caller, write } = context;
    const { patience } = this.times;
    const lease = request.leaseSeconds === undefined ? this.times.lease : request.leaseSeconds * 1_000;
    const name = `${caller.tenantId} ${caller.id} ${request.key}`;
    const until = performance.now() + patience;
    while (this.#inFlight.has(name)) await waitAtMost(this.#inFlight.get(name), until - performance.now());
    const identifying = fingerprintRequest(caller, request);
    const answering = identifying.then((known) =>
      known.callsOut
        ? executeOutsideTransaction(context, known, { leaseMs: lease, deadline: until }, () => answer(context))
        : this.#openTransactions.run(() =>
            write((tx) => executeInTransaction(tx, known, () => answer(withinTransaction(context, tx)))),
          ),
    );
    const settled = answering.then(ignore, ignore).finally(() => this.#inFlight.delete(name));
    this.#inFlight.set(name, settled);
    const answered = await answering;
    await requireSameFile(await identifying, answered); // by now other repetitions need not wait for this one
    return answered;
  }
}

/** The same request within a transaction: it writes there, and reads what it wrote. */
function withinTransaction(context: WorkspaceContext, tx: WorkspaceTransaction): WorkspaceContext {
  const write: WorkspaceContext['write'] = async (work) => {
    const result = await work(tx);
    await tx.em.flush();
    tx.read.clear();
    return result;
  };
  return { ...context, read: tx.read, write };
}

async function waitAtMost(work: Promise<void> | undefined, milliseconds: number): Promise<void> {
  const late = Symbol();
  if ((await Promise.race([work, sleep(milliseconds, late, { ref: false })])) === late) throw requestInProgressError();
}

function ignore(): void {}
