import { join } from 'node:path';
import { Piscina } from 'piscina';
import { AppError } from '../kernel/errors.js';
import { PROJECT_ROOT } from '../kernel/project-root.js';
import { Turns } from '../kernel/turns.js';
import { CsvFault } from './csv-fault.js';
import type { WorkerAnswer, WorkerTask } from './csv-worker.js';

/** Of the compiled copy, from the sources too: a thread starts without whatever compiles them. */
const WORKER = join(PROJECT_ROOT, 'dist', 'src', 'csv', 'csv-worker.js');

const THREADS = 2;

/** Tasks that wait for a thread, each of which holds its bytes in memory. */
const MOST_WAITING = 200;

/** A few threads for tasks of one kind, which are given to them in the order in which they come. */
export class WorkerThreads {
  readonly #turns = new Turns(THREADS);
  readonly #pool: Piscina<WorkerTask, WorkerAnswer>;

  /** `deadline` in milliseconds, counted from where a thread takes the task. */
  constructor(private readonly deadline: number) {
    const limits = { maxOldGenerationSizeMb: 1_024 };
    this.#pool = new Piscina({
      ...{ filename: WORKER, minThreads: 0, maxThreads: THREADS, idleTimeout: 60_000 },
      ...{ resourceLimits: limits, recordTiming: false },
    });
  }

  /** What the task finds. Throws the `CsvFault` that it throws, WA-AF-025 past the deadline, UNAVAILABLE where too many wait. */
  async run(task: WorkerTask): Promise<unknown> {
    if (this.#turns.waiting >= MOST_WAITING)
      throw new AppError('UNAVAILABLE', 'Too many files are looked into at the moment; try again shortly.');
    const answer = await this.#turns.take(() => this.#inTime(task));
    if ('fault' in answer) throw new CsvFault(answer.fault.code, answer.fault.message);
    return answer.found;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #inTime(task: WorkerTask): Promise<WorkerAnswer> {
    try {
      return await this.#pool.run(task, { signal: AbortSignal.timeout(this.deadline) });
    } catch (error) {
      if ((error as Error).name !== 'AbortError') throw error;
      throw new CsvFault('WA-AF-025', `Looking into the file took more than ${this.deadline / 1_000} seconds.`);
    }
  }
}
