/**
 * A value that arrives in a later turn of the event loop. Unlike a promise, `Pending` calls back in the turn in which
 * the value arrives. A page of nested rows waits for thousands of values, and the microtasks of promises would take
 * most of its time.
 */
export class Pending<Value> implements PromiseLike<Value> {
  #settled: PromiseSettledResult<Value> | undefined;
  readonly #reactions: (() => void)[] = [];

  static of<Value>(value: PromiseLike<Value>): Pending<Value> {
    const pending = new Pending<Value>();
    pending.resolve(value);
    return pending;
  }

  // biome-ignore lint/suspicious/noThenProperty: GraphQL executors and `await` call it
  then<Result = Value, Rescue = never>(
    onValue?: ((value: Value) => Result | PromiseLike<Result>) | null,
    onError?: ((error: unknown) => Rescue | PromiseLike<Rescue>) | null,
  ): Pending<Result | Rescue> {
    const next = new Pending<Result | Rescue>();
    const react = (): void => {
      const settled = this.#settled as PromiseSettledResult<Value>;
      try {
        if (settled.status === 'fulfilled')
          next.resolve(onValue ? onValue(settled.value) : (settled.value as unknown as Result));
        else if (onError) next.resolve(onError(settled.reason));
        else next.reject(settled.reason);
      } catch (error) {
        next.reject(error);
      }
    };
    if (this.#settled) queueMicrotask(react);
    else this.#reactions.push(react);
    return next;
  }

  /** Undefined before the value arrives, and after an error. */
  get value(): Value | undefined {
    return this.#settled?.status === 'fulfilled' ? this.#settled.value : undefined;
  }

  resolve(value: Value | PromiseLike<Value>): void {
    if (!isThenable(value)) this.#settle({ status: 'fulfilled', value });
    else
      value.then(
        (known) => this.#settle({ status: 'fulfilled', value: known }),
        (error) => this.reject(error),
      );
  }

  reject(error: unknown): void {
    this.#settle({ status: 'rejected', reason: error });
  }

  #settle(settled: PromiseSettledResult<Value>): void {
    this.#settled = settled;
    for (const react of this.#reactions.splice(0)) react();
  }
}

/** Calls `next` immediately if the value is known, and otherwise when it arrives. */
export function whenKnown<Value, Result>(
  value: Value | Pending<Value>,
  next: (value: Value) => Result | Pending<Result>,
): Result | Pending<Result> {
  return value instanceof Pending ? value.then(next) : next(value);
}

/** Calls `next` immediately if all values are known, and otherwise when the last one arrives. */
export function whenAllKnown<Value extends object, Result>(
  values: readonly (Value | Pending<Value>)[],
  next: (values: Value[]) => Result | Pending<Result>,
): Result | Pending<Result> {
  return values.some((value) => value instanceof Pending)
    ? Pending.of(allKnown(values)).then(next)
    : next(values as Value[]);
}

/**
 * Resolves with all values, in their order. The values that one SQL statement reads arrive together, so the function
 * waits once per statement.
 */
async function allKnown<Value extends object>(values: readonly (Value | Pending<Value>)[]): Promise<Value[]> {
  const known: Value[] = [];
  for (const value of values) known.push(value instanceof Pending ? (value.value ?? (await value)) : value);
  return known;
}

function isThenable<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof (value as PromiseLike<Value> | null | undefined)?.then === 'function';
}
