/** Rows that all requests of a process hand out in one turn of the event loop: completing their fields takes a few milliseconds. */
const ROWS_PER_TURN = 500;

interface Waiting {
  readonly rows: number;
  readonly handOut: () => void;
}

let left = ROWS_PER_TURN;
let waiting: Waiting[] = [];
let hasTimer = false;

/** Hands out rows of one request, and leaves the event loop to other requests in between. */
export class RowPacer {
  #waiting = 0;

  /** The value at once while the turn has rows left, else in a later turn. */
  pace<Value>(value: Value, rows: number): Value | Promise<Value> {
    startTimer();
    if (left > 0) {
      left -= rows;
      return value;
    }
    this.#waiting += 1;
    return new Promise((resolve) => {
      const handOut = (): void => {
        this.#waiting -= 1;
        resolve(value);
      };
      waiting.push({ rows, handOut });
    });
  }

  /** Calls back in the next turn that begins with all rows of the request handed out. */
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
  for (const { handOut } of next) handOut();
}
