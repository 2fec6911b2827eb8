import { setTimeout } from 'node:timers/promises';

/** Waits. Throws the reason of the signal. */
export async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
}
