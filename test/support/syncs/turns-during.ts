import { setImmediate as nextTurn } from 'node:timers/promises';
import { vi } from 'vitest';

/**
 * Returns the number of turns of the event loop until the work ends. The clock advances by a millisecond per call of
 * `performance.now()`, so each turn runs one piece of background work.
 */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  await nextTurn(); // A turn that has already started still uses the real clock.
  let turns = 0;
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => ++now);
  let timer = setImmediate(count);
  function count(): void {
    turns += 1;
    timer = setImmediate(count);
  }
  try {
    await work();
    return turns;
  } finally {
    clearImmediate(timer);
    clock.mockRestore();
  }
}
