import { join } from 'node:path';
import { Piscina } from 'piscina';
import { Semaphore } from '../kernel/concurrency/semaphore.js';
import { AppError } from '../kernel/errors.js';
import { PROJECT_ROOT } from '../kernel/project-root.js';
import type { WorkerResult, WorkerTask } from './csv-worker.js';
import { CsvError } from './model/csv-error.js';

/** Of the compiled copy, from the sources too: a thread starts without whatever compiles them. */
const WORKER_PATH = join(PROJECT_ROOT, 'dist', 'src', 'csv', 'csv-worker.js');

const MAX_THREADS = 2;

/** Tasks that wait for a thread, each of which holds its bytes in memory. */
const MAX_QUEUED_TASKS = 200;

/** A few threads for tasks of one kind, which are given to them in the order in which they come. */
export class WorkerPool {
  readonly #semaphore = new Semaphore(MAX_THREADS);
  readonly #pool: Piscina<WorkerTask, WorkerResult>;

  /** `deadline` in milliseconds, counted from where a thread takes the task. */
  constructor(private readonly timeoutMs: number) {
    const limits = { maxOldGenerationSizeMb: 1_024 };
    this.#pool = new Piscina({
      ...{ filename: WORKER_PATH, minThreads: 0, maxThreads: MAX_THREADS, idleTimeout: 60_000 },
      ...{ resourceLimits: limits, recordTiming: false },
    });
  }

  /** What the task finds. Throws the `CsvError` that it throws, WA-AF-025 past the deadline, UNAVAILABLE where too many wait. */
  async run(task: WorkerTask): Promise<unknown> {
    if (this.#semaphore.waiting >= MAX_QUEUED_TASKS)
      throw new AppError('UNAVAILABLE', 'Too many files are looked into at the moment; try again shortly.');
    const answer = await this.#semaphore.run(() => this.#runWithTimeout(task));
    if ('fault' in answer) throw new CsvError(answer.fault.code, answer.fault.message);
    return answer.found;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #runWithTimeout(task: WorkerTask): Promise<WorkerResult> {
    try {
      return await this.#pool.run(task, { signal: AbortSignal.timeout(this.timeoutMs) });
    } catch (error) {
      if ((error as Error).name !== 'AbortError') throw error;
      throw new CsvError('WA-AF-025', `Looking into the file took more than ${this.timeoutMs / 1_000} seconds.`);
    }
  }
}
