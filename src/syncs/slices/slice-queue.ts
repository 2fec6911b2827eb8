import { Semaphore } from '../../kernel/concurrency/semaphore.js';
import { partitionOf } from '../runs/tap-states.js';
import type { OpenSlice } from './slice-rows.js';

export const SLICES_PER_QUERY = 500;

/** Returns the next slices after the ordinal `after`. */
type ReadSlices = (after: number, limit: number) => Promise<OpenSlice[]>;

/**
 * The slices of a partition are consecutive time windows. One reader takes all of them, because their order determines
 * the cursor.
 */
export class SliceQueue {
  readonly #turn = new Semaphore(1);
  readonly #waiting: OpenSlice[] = [];
  #after = -1;
  #isExhausted = false;

  /** `first` contains the first slices, if the caller has already read them. */
  constructor(
    private readonly readSlices: ReadSlices,
    first?: readonly OpenSlice[],
  ) {
    if (first) this.#take(first);
  }

  /** Returns no slices after the last partition. */
  nextPartition(): Promise<OpenSlice[]> {
    return this.#turn.run(async () => {
      const slices: OpenSlice[] = [];
      for (;;) {
        if (this.#waiting.length === 0) await this.#fill();
        const [next] = this.#waiting;
        if (!next || (slices[0] && partitionOf(next.variables) !== partitionOf(slices[0].variables))) return slices;
        slices.push(next);
        this.#waiting.shift();
      }
    });
  }

  async #fill(): Promise<void> {
    if (this.#isExhausted) return;
    this.#take(await this.readSlices(this.#after, SLICES_PER_QUERY));
  }

  #take(slices: readonly OpenSlice[]): void {
    this.#isExhausted = slices.length < SLICES_PER_QUERY;
    this.#waiting.push(...slices);
    this.#after = this.#waiting.at(-1)?.ordinal ?? this.#after;
  }
}
