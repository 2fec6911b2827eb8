import { join } from 'node:path';
import { Piscina } from 'piscina';
import { Semaphore } from '../kernel/concurrency/semaphore.js';
import { AppError } from '../kernel/errors.js';
import { PROJECT_ROOT } from '../kernel/project-root.js';
import { CsvError } from './model/csv-error.js';
import type { WorkerResult } from './worker-result.js';

/**
 * Path of the compiled files. Worker threads need them even if the service runs from TypeScript, because threads start
 * without the loader.
 */
const COMPILED = join(PROJECT_ROOT, 'dist', 'src');
const CSV_WORKER = 'csv/csv-worker.js';

const MAX_THREADS = 2;

/** A larger young generation saves no time, and takes memory that the process does not release. */
const MEMORY_LIMITS = { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 8 };

/** Each waiting task keeps its bytes in memory. */
const MAX_QUEUED_TASKS = 200;

/** Runs tasks in order of arrival. */
export class WorkerPool {
  readonly #semaphore = new Semaphore(MAX_THREADS);
  readonly #pool: Piscina<object, WorkerResult>;

  /** The timeout starts when a thread starts the task. */
  constructor(private readonly timeoutMs: number) {
    this.#pool = new Piscina({
      ...{ minThreads: 0, maxThreads: MAX_THREADS, idleTimeout: 60_000 },
      ...{ resourceLimits: MEMORY_LIMITS, recordTiming: false },
    });
  }

  /**
   * Returns the result of the task. `worker` is the path, relative to `src`, of the module that runs the task. Throws
   * the `CsvError` of the task, WA-AF-025 after the timeout, and UNAVAILABLE if too many tasks wait.
   */
  async run(task: object, worker = CSV_WORKER): Promise<unknown> {
    if (this.#semaphore.waiting >= MAX_QUEUED_TASKS)
      throw new AppError('UNAVAILABLE', 'The service is already analyzing as many files as it can. Try again shortly.');
    const result = await this.#semaphore.run(() => this.#runWithTimeout(task, join(COMPILED, worker)));
    if ('fault' in result) throw new CsvError(result.fault.code, result.fault.message);
    return result.found;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #runWithTimeout(task: object, filename: string): Promise<WorkerResult> {
    try {
      return await this.#pool.run(task, { filename, signal: AbortSignal.timeout(this.timeoutMs) });
    } catch (error) {
      if ((error as Error).name !== 'AbortError') throw error;
      throw new CsvError(
        'WA-AF-025',
        `Reading the file took more than the limit of ${this.timeoutMs / 1_000} seconds. Try again later.`,
      );
    }
  }
}
