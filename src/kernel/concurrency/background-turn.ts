/**
 * Time for background work per turn of the event loop. A turn finishes the piece of work that it has started, so each
 * piece should take less than `TURN_MS`.
 */
const TURN_MS = 0.5;

/** Time for background work per turn while requests are open, and the pause between two of these turns. */
const SHARED_TURN_MS = 0.25;
const SHARED_INTERVAL_MS = 4;

/**
 * An open request limits background work for at most this time, because uploads and event streams stay open for longer.
 */
const MAX_REQUEST_MS = 1_000;

const waiting: (() => void)[] = [];
let isScheduled = false;
/** Oldest first. */
const requests = new Set<{ readonly startedAt: number }>();

/**
 * Resolves in a later turn of the event loop. All background work of the process shares one queue. If each caller used
 * `setImmediate`, each turn would run a piece of every sync. While requests are open, background work takes about a
 * tenth of the time of the event loop. Without this limit, a request would wait for a piece of work after each of its
 * database queries.
 */
export function backgroundTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    schedule();
  });
}

/** Limits background work during a request. The caller must call the returned function at the end of the request. */
export function noteRequest(): () => void {
  const request = { startedAt: performance.now() };
  requests.add(request);
  return () => requests.delete(request);
}

function hasRequests(): boolean {
  for (const request of requests) {
    if (performance.now() - request.startedAt < MAX_REQUEST_MS) return true;
    requests.delete(request);
  }
  return false;
}

function schedule(): void {
  if (isScheduled || waiting.length === 0) return;
  isScheduled = true;
  if (hasRequests()) setTimeout(runTurn, SHARED_INTERVAL_MS);
  else setImmediate(runTurn);
}

function runTurn(): void {
  runPieces(performance.now() + (hasRequests() ? SHARED_TURN_MS : TURN_MS));
}

/** Runs at least one piece of work, and further pieces until `endsAt`. */
function runPieces(endsAt: number): void {
  waiting.shift()?.();
  // The piece runs in microtasks. `continueTurn` runs after the last microtask.
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
