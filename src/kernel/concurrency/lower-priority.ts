import { existsSync, readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * On Linux, each thread has its own priority, and a new thread inherits the priority of the thread that starts it
 * (setpriority(2), "C library/kernel differences").
 */
export function lowerPriority(): void {
  for (const thread of threadsOfProcess()) {
    try {
      setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // The thread has ended, or the process already has a lower priority.
    }
  }
}

const THREADS = '/proc/self/task';

/** Outside Linux, returns only 0, which means the whole process. */
function threadsOfProcess(): readonly number[] {
  return existsSync(THREADS) ? readdirSync(THREADS).map(Number) : [0];
}
