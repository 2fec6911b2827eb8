import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const ATTEMPTS = 12;
/** A local variable is faster than the global variable. */
const { imul } = Math;
/**
 * Number of steps of a hash, and their duration on an idle core. The duration is much longer than a tick of the CPU
 * clock.
 */
const STEPS = 40_000_000;
const STEPS_MS = 40;

/**
 * Returns the longest time for which `work` blocks the event loop, in milliseconds, scaled to an idle machine. Uses the
 * best of several attempts, because garbage collection and other processes disturb single attempts. Stops early if the
 * time is at most `enough`.
 */
export async function eventLoopDelayOf(work: () => Promise<unknown>, enough: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && best > enough; attempt++) {
    const held = await longestTurnOf(work);
    best = Math.min(best, held > enough ? held / slowdown() : held);
  }
  return best;
}

/**
 * Returns the maximum timer delay or the maximum CPU time of a turn of the event loop, whichever is less. Only the
 * timer delay includes preemption by other processes.
 */
async function longestTurnOf(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const turns = watchTurns();
  // The monitor measures the interval between two ticks, so it needs a first tick.
  await sleep(5);
  await work();
  await sleep(5);
  delay.disable();
  return Math.min(delay.max / 1e6, turns.stop());
}

/** Records the maximum CPU time of this thread per turn of its event loop. */
function watchTurns(): { stop(): number } {
  let last = cpuTime();
  let longest = 0;
  const turn = (): void => {
    const now = cpuTime();
    longest = Math.max(longest, now - last);
    last = now;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  return {
    stop: () => {
      clearImmediate(next);
      return longest;
    },
  };
}

/**
 * Returns how many times slower this machine is than an idle machine, at least 1. Measures a computation without
 * allocations.
 */
function slowdown(): number {
  const before = cpuTime();
  hashSteps(STEPS);
  return Math.max(1, (cpuTime() - before) / STEPS_MS);
}

function hashSteps(count: number): number {
  let hash = 0x811c9dc5;
  for (let step = 0; step < count; step++) hash = imul(hash ^ (step & 255), 0x01000193);
  return hash;
}

/** CPU time of this thread in milliseconds. Linux may count in steps of 4 ms. */
function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
