import { setTimeout } from 'node:timers/promises';

/** Longest wait in a step. For a longer wait, the caller saves the records that it has read, and continues later. */
export const MAX_WAIT_MS = 30_000;

/** Throws the abort reason of the signal. */
export async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
}
