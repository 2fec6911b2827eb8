import { existsSync, readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Lowers the CPU priority of all threads of the process. On Linux, each thread has its own priority, and a new thread
 * inherits the priority of the thread that starts it (setpriority(2), "C library/kernel differences").
 */
export function lowerPriority(): void {
  for (const thread of threadsOfProcess()) {
    try {
      setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // The thread has ended, or the process already has a lower priority. Neither prevents its start.
    }
  }
}

/** Linux lists the threads of the process in this folder. */
const THREADS = '/proc/self/task';

/** Returns the ids of the threads. Without the folder of Linux, returns 0, which stands for the whole process. */
function threadsOfProcess(): readonly number[] {
  return existsSync(THREADS) ? readdirSync(THREADS).map(Number) : [0];
}
