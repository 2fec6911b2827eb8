import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds that finding nobody takes at least. */
const TIMING_FLOOR_MS = 1_000;

/**
 * Waits for a whole number of floors since `begun`, on the clock of `performance.now()`, so that how long it takes does not say whether an
 * address is closed, unknown or not allowed: a name that takes its time to be unknown looks like a port that does.
 */
export async function waitForTimingFloor(begun: number, floor = TIMING_FLOOR_MS): Promise<void> {
  if (floor > 0) await sleep(remainingFloorMs(performance.now() - begun, floor));
}

/** Milliseconds to the end of the floor that is under way after `elapsed`; a whole one where another has just ended. */
export function remainingFloorMs(elapsed: number, floor: number): number {
  return floor - (elapsed % floor);
}
