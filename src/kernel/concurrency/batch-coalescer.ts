interface PendingItem<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

interface Options<Item, Result> {
  /** Returns one result per item, in order. An error fails all items of the run. */
  readonly run: (key: string, items: readonly Item[]) => Promise<readonly Result[]>;
  /** Number of waiting items that the next run takes, at least 1. By default, a run takes all waiting items. */
  readonly batchSize?: (items: readonly Item[]) => number;
}

/**
 * Runs at most one batch per key at a time. Items that arrive during a run form the next batch, so the cost per item
 * drops under load.
 */
export class BatchCoalescer<Item, Result> {
  readonly #waiting = new Map<string, PendingItem<Item, Result>[]>();

  constructor(private readonly options: Options<Item, Result>) {}

  submit(key: string, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const pending = { item, resolve, reject };
      const waiting = this.#waiting.get(key);
      if (waiting) waiting.push(pending);
      else void this.#work(key, [pending]);
    });
  }

  async #work(key: string, waiting: PendingItem<Item, Result>[]): Promise<void> {
    this.#waiting.set(key, waiting);
    while (waiting.length > 0) await this.#runNext(key, waiting);
    this.#waiting.delete(key);
  }

  async #runNext(key: string, waiting: PendingItem<Item, Result>[]): Promise<void> {
    const { run, batchSize } = this.options;
    const group = waiting.splice(0, batchSize ? batchSize(waiting.map(({ item }) => item)) : waiting.length);
    try {
      const results = await run(
        key,
        group.map(({ item }) => item),
      );
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
