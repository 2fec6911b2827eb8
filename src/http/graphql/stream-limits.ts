import { AppError } from '../../kernel/errors.js';
import type { Caller } from '../../tenancy/caller.js';
import { KeyedCounter } from '../keyed-counter.js';

const MAX_STREAMS = { caller: 20, workspace: 200, process: 1_000 };

const RETRY_SECONDS = 30;

export class StreamLimits {
  readonly #callers = new KeyedCounter();
  readonly #workspaces = new KeyedCounter();
  #open = 0;

  get open(): number {
    return this.#open;
  }

  /** The caller must call the returned function when the stream ends. Throws TOO_MANY_REQUESTS above a limit. */
  enter({ id, tenantId }: Caller): () => void {
    const counts = {
      caller: this.#callers.increment(id),
      workspace: this.#workspaces.increment(tenantId),
      process: ++this.#open,
    };
    const leave = (): void => {
      this.#callers.decrement(id);
      this.#workspaces.decrement(tenantId);
      this.#open--;
    };
    for (const [name, most] of Object.entries(MAX_STREAMS)) {
      if (counts[name as keyof typeof counts] <= most) continue;
      leave();
      const sentence = `At most ${most} streams of one ${name} may be open. Close a stream, or try again later.`;
      throw new AppError('TOO_MANY_REQUESTS', sentence, { retryAfter: RETRY_SECONDS });
    }
    return leave;
  }
}
