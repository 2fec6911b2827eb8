import { AppError } from '../kernel/errors.js';
import { Turns } from '../kernel/turns.js';

/** Inferences that a process runs at once. Each holds the beginning of its file in memory. */
const AT_ONCE = 4;

/** Inferences of one workspace that a process knows of: one runs, the others wait for it. */
const MOST_OF_WORKSPACE = 20;

/** Lets inferences happen one after the other in each workspace, so that those of one do not hold up the others'. */
export class InferenceTurns {
  readonly #all = new Turns(AT_ONCE);
  readonly #workspaces = new Map<string, { turns: Turns; known: number }>();

  /** Throws TOO_MANY_REQUESTS where too many wait already. */
  async take<Result>(tenantId: string, work: () => Promise<Result>): Promise<Result> {
    const own = this.#workspaces.get(tenantId) ?? { turns: new Turns(1), known: 0 };
    if (own.known >= MOST_OF_WORKSPACE)
      throw new AppError(
        'TOO_MANY_REQUESTS',
        `${MOST_OF_WORKSPACE} inferences of the workspace are under way or wait.`,
        {
          retryAfter: 5,
        },
      );
    own.known += 1;
    this.#workspaces.set(tenantId, own);
    try {
      return await own.turns.take(() => this.#all.take(work));
    } finally {
      own.known -= 1;
      if (own.known === 0) this.#workspaces.delete(tenantId);
    }
  }
}
