interface PendingItem<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

interface Options<Item, Result> {
  /** Answers all items of a run, in their order. What it throws is told to all of them. */
  readonly run: (key: string, items: readonly Item[]) => Promise<readonly Result[]>;
  /** How many of those that wait, 1 or more, go into the next run. All of them by default. */
  readonly batchSize?: (items: readonly Item[]) => number;
}

/**
 * Does for many at once what each of them asks for. Of one key one run is under way at a time, and whoever comes meanwhile waits for the next one
 * together with others: the busier it is, the less each one costs, and no run began before what it answers was asked.
 */
export class BatchCoalescer<Item, Result> {
  readonly #waiting = new Map<string, PendingItem<Item, Result>[]>();

  constructor(private readonly options: Options<Item, Result>) {}

  submit(key: string, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const asked = { item, resolve, reject };
      const waiting = this.#waiting.get(key);
      if (waiting) waiting.push(asked);
      else void this.#work(key, [asked]);
    });
  }

  async #work(key: string, waiting: PendingItem<Item, Result>[]): Promise<void> {
    this.#waiting.set(key, waiting);
    while (waiting.length > 0) await this.#runNext(key, waiting);
    this.#waiting.delete(key);
  }

  async #runNext(key: string, waiting: PendingItem<Item, Result>[]): Promise<void> {
    const { run, batchSize: fitting } = this.options;
    const group = waiting.splice(0, fitting ? fitting(waiting.map(({ item }) => item)) : waiting.length);
    try {
      const results = await run(
        key,
        group.map(({ item }) => item),
      );
      for (const [nth, { resolve }] of group.entries()) resolve(results[nth] as Result);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
