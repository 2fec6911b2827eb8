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
 * pools, so that inferences do not delay uploads. The threads receive copies of the bytes.
 */
export class CsvWorkers {
  readonly #heads: WorkerPool;
  readonly #inferences: WorkerPool;

  constructor(timeoutMs = TASK_TIMEOUT_MS) {
    this.#heads = new WorkerPool(timeoutMs);
    this.#inferences = new WorkerPool(timeoutMs);
  }

  /** Throws the errors of `check-head.ts`, WA-AF-025 after the timeout, and UNAVAILABLE if too many tasks wait. */
  async checkHead(bytes: Uint8Array, { isWhole }: Options): Promise<CsvHead | 'more'> {
    const head = (await this.#heads.run({ kind: 'check-head', bytes, isWhole } satisfies WorkerTask)) as
      | CsvHead
      | 'more';
    return head === 'more' ? head : inColumnOrder(head);
  }

  /** Throws the errors of `infer-schema.ts`, WA-AF-025 after the timeout, and UNAVAILABLE if too many tasks wait. */
  async inferSchema(bytes: Uint8Array, options: Options & { proposals?: ProposedTypes }): Promise<InferredSchema> {
    const task: WorkerTask = { kind: 'infer-schema', bytes, ...options };
    return inColumnOrder((await this.#inferences.run(task)) as InferredSchema);
  }

  /**
   * Runs a task of another domain in the threads for inferences. `worker` is the path of a module below `src`, such as
   * `csv/csv-worker.js`. The default export of the module runs the task and returns a `WorkerResult`. Throws the errors
   * of the task, WA-AF-025 after the timeout, and UNAVAILABLE if too many tasks wait.
   */
  runTask(worker: string, task: object): Promise<unknown> {
    return this.#inferences.run(task, worker);
  }

  /** Waits for running tasks and terminates the threads. */
  async close(): Promise<void> {
    await Promise.all([this.#heads.close(), this.#inferences.close()]);
  }
}
