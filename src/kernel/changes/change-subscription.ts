import type { AppError } from '../errors.js';
import type { Change } from './change.js';

/** A subscription with more pending changes ends, because its client is too slow. */
export const MAX_PENDING_CHANGES = 1_000;

/** Repeated changes of one object count as one pending change. */
export class ChangeSubscription {
  readonly #pending = new Map<string, Change>();
  #failure: AppError | undefined;
  #wake: () => void = () => undefined;

  constructor(
    readonly entity: string,
    private readonly overflow: () => AppError,
  ) {}

  get #hasNews(): boolean {
    return this.#pending.size > 0 || this.#failure !== undefined;
  }

  push(change: Change): void {
    this.#pending.set(change.id, change);
    if (this.#pending.size > MAX_PENDING_CHANGES) this.fail(this.overflow());
    this.#wake();
  }

  /** Ends the subscription. `take` then throws `error`. */
  fail(error: AppError): void {
    this.#failure ??= error;
    this.#pending.clear();
    this.#wake();
  }

  /**
   * Resolves when changes are pending, the subscription has failed, the signal is aborted, or `ms` milliseconds have
   * passed. Returns whether `take` would return a change or throw.
   */
  async wait(ms: number, signal: AbortSignal): Promise<boolean> {
    if (!this.#hasNews && !signal.aborted) await this.#sleep(ms, signal);
    return this.#hasNews;
  }

  async #sleep(ms: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        this.#wake = () => undefined;
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end, { once: true });
      this.#wake = end;
    });
  }

  /** Removes and returns the oldest pending change. Throws the error of a failed subscription. */
  take(): Change | undefined {
    if (this.#failure) throw this.#failure;
    const [change] = this.#pending.values();
    if (change) this.#pending.delete(change.id);
    return change;
  }
}
