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

/** Default maximum duration of a request that calls third parties. The timeouts of these calls are shorter. */
const CLAIM_LEASE_MS = 120_000;

/**
 * Maximum number of requests that hold a transaction open at the same time: half of the connections, because such a
 * request may need a second connection to seal a secret.
 */
const MAX_OPEN_TRANSACTIONS = 5;

/**
 * If a caller repeats a request with the same Idempotency-Key, the caller receives the response of the first request.
 * Duplicates in this process wait in memory, because each duplicate that waited in the database would hold a
 * connection.
 */
export class IdempotentExecutor {
  readonly #inFlight = new Map<string, Promise<void>>();
  readonly #openTransactions = new Semaphore(MAX_OPEN_TRANSACTIONS);

  /** After `leaseMs`, another request may take over a claim. A duplicate waits for at most `waitTimeoutMs`. */
  constructor(private readonly times = { leaseMs: CLAIM_LEASE_MS, waitTimeoutMs: DUPLICATE_WAIT_TIMEOUT_MS }) {}

  async execute(
    context: WorkspaceContext,
    request: KeyedRequest,
    answer: (context: WorkspaceContext) => Promise<string>,
  ): Promise<IdempotentResponse> {
    const { caller, write } = context;
    const { waitTimeoutMs } = this.times;
    const leaseMs = request.leaseSeconds === undefined ? this.times.leaseMs : request.leaseSeconds * 1_000;
    const name = `${caller.tenantId} ${caller.id} ${request.key}`;
    const until = performance.now() + waitTimeoutMs;
    while (this.#inFlight.has(name)) await waitAtMost(this.#inFlight.get(name), until - performance.now());
    const identifying = fingerprintRequest(caller, request);
    const answering = identifying.then((known) =>
      known.callsOut
        ? executeOutsideTransaction(context, known, { leaseMs, deadline: until }, () => answer(context))
        : this.#openTransactions.run(() =>
            write((tx) => executeInTransaction(tx, known, () => answer(withinTransaction(context, tx)))),
          ),
    );
    const settled = answering.then(ignore, ignore).finally(() => this.#inFlight.delete(name));
    this.#inFlight.set(name, settled);
    const answered = await answering;
    // May wait for the uploaded file. Duplicates wait only for `settled`, and therefore not for the file.
    await requireSameFile(await identifying, answered);
    return answered;
  }
}

/** The returned context reads and writes in the transaction `tx`. */
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
