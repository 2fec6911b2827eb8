const waiting: (() => void)[] = [];

/**
 * Resolves in a later turn of the event loop. All background work of the process shares one queue, and each turn runs
 * one piece. A request therefore waits for one piece per turn, for any number of running syncs. With `setImmediate`,
 * each turn would run a piece of every sync. A piece should take about a millisecond.
 */
export function backgroundTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(runNext);
  });
}

function runNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(runNext);
}
