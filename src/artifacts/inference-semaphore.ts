import { Semaphore } from '../kernel/concurrency/semaphore.js';
import { AppError } from '../kernel/errors.js';

/** Inferences that a process runs at once. Each holds the beginning of its file in memory. */
const MAX_CONCURRENT_INFERENCES = 4;

/** Inferences of one workspace that a process knows of: one runs, the others wait for it. */
const MAX_WORKSPACE_INFERENCES = 20;

/** Lets inferences happen one after the other in each workspace, so that those of one do not hold up the others'. */
export class InferenceSemaphore {
  readonly #all = new Semaphore(MAX_CONCURRENT_INFERENCES);
  readonly #workspaces = new Map<string, { turns: Semaphore; known: number }>();

  /** Throws TOO_MANY_REQUESTS where too many wait already. */
  async run<Result>(tenantId: string, work: () => Promise<Result>): Promise<Result> {
    const own = this.#workspaces.get(tenantId) ?? { turns: new Semaphore(1), known: 0 };
    if (own.known >= MAX_WORKSPACE_INFERENCES)
      throw new AppError(
        'TOO_MANY_REQUESTS',
        `${MAX_WORKSPACE_INFERENCES} inferences of the workspace are under way or wait.`,
        {
          retryAfter: 5,
        },
      );
    own.known += 1;
    this.#workspaces.set(tenantId, own);
    try {
      return await own.turns.run(() => this.#all.run(work));
    } finally {
      own.known -= 1;
      if (own.known === 0) this.#workspaces.delete(tenantId);
    }
  }
}
