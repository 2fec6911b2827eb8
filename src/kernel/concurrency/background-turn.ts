/**
 * Time for background work per turn of the event loop, in milliseconds. Each turn finishes the piece of work that it
 * has started, so a piece should take less time than this limit.
 */
const TURN_MS = 0.5;

/** Time for background work per turn while requests are open, and the pause between two turns. In milliseconds. */
const SHARED_TURN_MS = 0.25;
const SHARED_INTERVAL_MS = 4;

/**
 * Time after which an open request no longer limits background work, in milliseconds. Uploads and event streams stay
 * open for longer.
 */
const MAX_REQUEST_MS = 1_000;

const waiting: (() => void)[] = [];
let isScheduled = false;
/** Open requests, oldest first. */
const requests = new Set<{ readonly startedAt: number }>();

/**
 * Resolves in a later turn of the event loop. All background work of the process shares one queue and runs in the order
 * of the calls. If each caller used `setImmediate`, each turn would run a piece of every sync. While requests are open,
 * background work takes about a tenth of the time of the event loop. Without this limit, a request would wait for a
 * piece after each of its database queries.
 */
export function backgroundTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    schedule();
  });
}

/**
 * Reports the start of a request, so that background work takes less time. The caller calls the returned function when
 * the request ends.
 */
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

/** Runs pieces until `endsAt`, but at least one piece. */
function runPieces(endsAt: number): void {
  waiting.shift()?.();
  // The piece runs in microtasks. `continueTurn` runs when no microtask is left.
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
