import { setTimeout as sleep } from 'node:timers/promises';

const TIMING_FLOOR_MS = 1_000;

/**
 * Waits until the time since `startedAt` (on the clock of `performance.now()`) is a multiple of `floorMs`. The duration
 * then does not reveal whether a port is closed, a host unknown or an address not allowed.
 */
export async function waitForTimingFloor(startedAt: number, floorMs = TIMING_FLOOR_MS): Promise<void> {
  if (floorMs > 0) await sleep(remainingFloorMs(performance.now() - startedAt, floorMs));
}

/** Milliseconds from `elapsedMs` to the next multiple of `floorMs`. */
export function remainingFloorMs(elapsedMs: number, floorMs: number): number {
  return floorMs - (elapsedMs % floorMs);
}
