/**
 * A value that a later turn of the event loop provides. Unlike a promise, it calls back as soon as it has its value, in
 * the same turn. A page of nested rows waits for thousands of values, and microtasks would take most of its time.
 */
export class Pending<Value> implements PromiseLike<Value> {
  #settled: PromiseSettledResult<Value> | undefined;
  readonly #reactions: (() => void)[] = [];

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

/** Passes on a value that may be known already. */
export function whenKnown<Value, Result>(
  value: Value | Pending<Value>,
  next: (value: Value) => Result | Pending<Result>,
): Result | Pending<Result> {
  return value instanceof Pending ? value.then(next) : next(value);
}

function isThenable<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof (value as PromiseLike<Value> | null | undefined)?.then === 'function';
}
