import { Semaphore } from '../kernel/concurrency/semaphore.js';
import { AppError } from '../kernel/errors.js';

/** Limit per process. Each inference holds up to `INFERENCE_SAMPLE_BYTES` in memory. */
const MAX_CONCURRENT_INFERENCES = 4;

/** Limit of running and waiting inferences of a workspace, per process. */
const MAX_WORKSPACE_INFERENCES = 20;

/** Runs one inference per workspace at a time, so that a workspace cannot block the inferences of other workspaces. */
export class InferenceSemaphore {
  readonly #all = new Semaphore(MAX_CONCURRENT_INFERENCES);
  readonly #workspaces = new Map<string, { semaphore: Semaphore; count: number }>();

  /** Throws TOO_MANY_REQUESTS if `MAX_WORKSPACE_INFERENCES` inferences of the workspace already run or wait. */
  async run<Result>(tenantId: string, work: () => Promise<Result>): Promise<Result> {
    const own = this.#workspaces.get(tenantId) ?? { semaphore: new Semaphore(1), count: 0 };
    if (own.count >= MAX_WORKSPACE_INFERENCES)
      throw new AppError(
        'TOO_MANY_REQUESTS',
        `The workspace has reached the limit of ${MAX_WORKSPACE_INFERENCES} running and waiting inferences. Try again in 5 s.`,
        {
          retryAfter: 5,
        },
      );
    own.count += 1;
    this.#workspaces.set(tenantId, own);
    try {
      return await own.semaphore.run(() => this.#all.run(work));
    } finally {
      own.count -= 1;
      if (own.count === 0) this.#workspaces.delete(tenantId);
    }
  }
}
