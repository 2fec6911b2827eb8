import { inColumnOrder } from './column-order.js';
import type { WorkerTask } from './csv-worker.js';
import type { CsvHead, InferredSchema, ProposedTypes } from './model/data-schema.js';
import { WorkerPool } from './worker-pool.js';

const TASK_TIMEOUT_MS = 10_000;

interface Options {
  readonly isWhole: boolean;
}

/**
 * Analyzes CSV files in worker threads, so that the analysis blocks no requests. Inferences and uploads have separate
 * pools, so that inferences do not delay uploads. If a task exceeds its timeout, the pool terminates the thread and
 * throws WA-AF-025. The pool copies the bytes to the thread.
 */
export class CsvWorkers {
  readonly #heads: WorkerPool;
  readonly #inferences: WorkerPool;

  constructor(timeoutMs = TASK_TIMEOUT_MS) {
    this.#heads = new WorkerPool(timeoutMs);
    this.#inferences = new WorkerPool(timeoutMs);
  }

  /** Runs `checkHead`. Throws its errors, WA-AF-025 after the timeout, and UNAVAILABLE if too many tasks wait. */
  async checkHead(bytes: Uint8Array, { isWhole }: Options): Promise<CsvHead | 'more'> {
    const head = (await this.#heads.run({ kind: 'check-head', bytes, isWhole } satisfies WorkerTask)) as
      | CsvHead
      | 'more';
    return head === 'more' ? head : inColumnOrder(head);
  }

  /** Runs `inferSchema`. Throws its errors, WA-AF-025 after the timeout, and UNAVAILABLE if too many tasks wait. */
  async inferSchema(bytes: Uint8Array, options: Options & { proposals?: ProposedTypes }): Promise<InferredSchema> {
    const task: WorkerTask = { kind: 'infer-schema', bytes, ...options };
    return inColumnOrder((await this.#inferences.run(task)) as InferredSchema);
  }

  /**
   * Runs a task of another domain in a thread of the pool for inferences. `worker` is the module of the task below
   * `src`, such as `csv/csv-worker.js`. The module returns a `WorkerResult`. Throws the same errors as `inferSchema`.
   */
  runTask(worker: string, task: object): Promise<unknown> {
    return this.#inferences.run(task, worker);
  }

  /** Waits for running tasks and terminates the threads. */
  async close(): Promise<void> {
    await Promise.all([this.#heads.close(), this.#inferences.close()]);
  }
}
