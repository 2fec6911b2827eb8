import { setTimeout as sleep } from 'node:timers/promises';

const TIMING_FLOOR_MS = 1_000;

/**
 * Waits until the time since `startedAt` is a multiple of `floorMs`. `startedAt` is a value of `performance.now()`.
 * Without the wait, the duration could reveal whether a port is closed, a host is unknown or an address is forbidden.
 */
export async function waitForTimingFloor(startedAt: number, floorMs = TIMING_FLOOR_MS): Promise<void> {
  if (floorMs > 0) await sleep(remainingFloorMs(performance.now() - startedAt, floorMs));
}

export function remainingFloorMs(elapsedMs: number, floorMs: number): number {
  return floorMs - (elapsedMs % floorMs);
}
