import type { CsvHead, InferredSchema, ProposedTypes } from './model/data-schema.js';
import { WorkerPool } from './worker-pool.js';

/** Milliseconds that a file may be looked into. */
const TASK_TIMEOUT_MS = 10_000;

interface Options {
  readonly isWhole: boolean;
}

/**
 * Looks into CSV files in threads of their own, so that no file holds up the requests of others, and an inference no upload. What takes too long is ended
 * with its thread: WA-AF-025. Bytes are copied to the thread, and stay with the caller.
 */
export class CsvWorkers {
  readonly #heads: WorkerPool;
  readonly #inferences: WorkerPool;

  /** `deadline` in milliseconds. */
  constructor(deadline = TASK_TIMEOUT_MS) {
    this.#heads = new WorkerPool(deadline);
    this.#inferences = new WorkerPool(deadline);
  }

  /** What `checkHead` says. Throws what it throws, and UNAVAILABLE where too many wait. */
  checkHead(bytes: Uint8Array, { isWhole }: Options): Promise<CsvHead | 'more'> {
    return this.#heads.run({ kind: 'check-head', bytes, isWhole }) as Promise<CsvHead | 'more'>;
  }

  /** What `inferSchema` says. Throws what it throws, and UNAVAILABLE where too many wait. */
  inferSchema(bytes: Uint8Array, options: Options & { proposals?: ProposedTypes }): Promise<InferredSchema> {
    return this.#inferences.run({ kind: 'infer-schema', bytes, ...options }) as Promise<InferredSchema>;
  }

  /** Lets what is under way finish, and ends the threads. */
  async close(): Promise<void> {
    await Promise.all([this.#heads.close(), this.#inferences.close()]);
  }
}
