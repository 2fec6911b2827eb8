import { Pending } from './pending.js';

/**
 * Maximum number of rows that all requests of a process resolve in one turn of the event loop. GraphQL takes a few
 * milliseconds to complete the fields of this number of rows.
 */
const ROWS_PER_TURN = 500;

interface Waiting {
  readonly rows: number;
  readonly release: () => void;
}

let left = ROWS_PER_TURN;
let waiting: Waiting[] = [];
let hasTimer = false;

/** Delays the rows of one request, so that the event loop can serve other requests in between. */
export class RowPacer {
  #waiting = 0;

  /**
   * Returns the value immediately if the current turn has not reached its limit. Otherwise, resolves in a later turn.
   */
  pace<Value>(value: Value, rows: number): Value | Pending<Value> {
    startTimer();
    if (left > 0) {
      left -= rows;
      return value;
    }
    this.#waiting += 1;
    const pending = new Pending<Value>();
    const release = (): void => {
      this.#waiting -= 1;
      pending.resolve(value);
    };
    waiting.push({ rows, release });
    return pending;
  }

  /** Calls `callback` in a later turn of the event loop, when no rows of the request wait. */
  whenIdle(callback: () => void): void {
    setImmediate(() => (this.#waiting > 0 ? this.whenIdle(callback) : callback()));
  }
}

function startTimer(): void {
  if (hasTimer) return;
  hasTimer = true;
  setImmediate(beginTurn);
}

function beginTurn(): void {
  hasTimer = false;
  left = ROWS_PER_TURN;
  let count = 0;
  for (; left > 0 && count < waiting.length; count++) left -= (waiting[count] as Waiting).rows;
  const next = waiting.slice(0, count);
  waiting = waiting.slice(count);
  if (next.length > 0) startTimer();
  for (const { release } of next) release();
}
