import type { MaybePromise } from './lean.js';
import { Pending } from './pending.js';

/** A batch contains all ids that callers requested before its dispatch, each of them once. */
export class BatchLoader<Value extends object | number> {
  readonly #values = new Map<string, MaybePromise<Value>>();
  #wanted: string[] = [];

  constructor(
    private readonly loadAll: (ids: readonly string[]) => Promise<readonly Value[]>,
    private readonly schedule: (dispatch: () => void) => void,
    /** This loader reuses the values and errors of the earlier loader. */
    private readonly earlier?: BatchLoader<Value>,
  ) {}

  load(id: string): MaybePromise<Value> {
    const known = this.known(id);
    if (known !== undefined) return known;
    const pending = new Pending<Value>();
    this.#values.set(id, pending);
    if (this.#wanted.push(id) === 1) this.schedule(() => void this.#dispatch());
    return pending;
  }

  /**
   * Stores a value that the caller has read elsewhere. Returns false if the loader has already stored or requested the
   * value.
   */
  provide(id: string, value: Value): boolean {
    if (this.known(id) !== undefined) return false;
    this.#values.set(id, value);
    return true;
  }

  /** Returns undefined if no caller has requested or provided the value. The value may be pending. */
  known(id: string): MaybePromise<Value> | undefined {
    return this.#values.get(id) ?? this.earlier?.known(id);
  }

  async #dispatch(): Promise<void> {
    const ids = this.#wanted;
    this.#wanted = [];
    const waiting = ids.map((id) => this.#values.get(id) as Pending<Value>);
    try {
      const values = await this.loadAll(ids);
      ids.forEach((id, at) => void this.#values.set(id, values[at] as Value));
      waiting.forEach((pending, at) => void pending.resolve(values[at] as Value));
    } catch (error) {
      for (const pending of waiting) pending.reject(error);
    }
  }
}
