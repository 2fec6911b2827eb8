/**
 * Time for background work per turn of the event loop, in milliseconds. A piece that has started runs to its end, so
 * pieces should take less than this.
 */
const TURN_MS = 0.5;

/** Like `TURN_MS`, for turns shortly after a request. Each millisecond then has at most one turn. */
const SHARED_TURN_MS = 0.25;
const SHARED_INTERVAL_MS = 1;

/** How long a request counts, in milliseconds. A request that takes longer hardly notices the turns. */
const RECENT_REQUEST_MS = 5;

const waiting: (() => void)[] = [];
let isScheduled = false;
let lastRequestAt = Number.NEGATIVE_INFINITY;

/**
 * Resolves in a later turn of the event loop. All background work of the process shares one queue, and takes turns in
 * the order of the calls. With `setImmediate`, each turn would run a piece of every sync. While requests arrive,
 * background work takes about a third of the time of the event loop. Otherwise, a request that waits for the database
 * several times would wait for a piece each time.
 */
export function backgroundTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    schedule();
  });
}

/** Reports the start of a request, for which background work makes room. */
export function noteRequest(): void {
  lastRequestAt = performance.now();
}

function hasRecentRequest(): boolean {
  return performance.now() - lastRequestAt < RECENT_REQUEST_MS;
}

function schedule(): void {
  if (isScheduled || waiting.length === 0) return;
  isScheduled = true;
  if (hasRecentRequest()) setTimeout(runTurn, SHARED_INTERVAL_MS);
  else setImmediate(runTurn);
}

function runTurn(): void {
  runPieces(performance.now() + (hasRecentRequest() ? SHARED_TURN_MS : TURN_MS));
}

/** Runs pieces until `endsAt`, at least one. */
function runPieces(endsAt: number): void {
  waiting.shift()?.();
  // The piece runs in microtasks. The tick runs when none is left.
  queueMicrotask(() => process.nextTick(continueTurn, endsAt));
}

function continueTurn(endsAt: number): void {
  if (waiting.length > 0 && performance.now() < endsAt) {
    runPieces(endsAt);
  } else {
    isScheduled = false;
    schedule();
  }
}
