import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const ATTEMPTS = 12;
/** Read once: a global costs more than a local variable. */
const { imul } = Math;
/** The CPU milliseconds of this many steps of a hash on a quiet core: long beside one tick of the clock. */
const STEPS = 40_000_000;
const STEPS_MS = 40;

/**
 * The longest time in milliseconds for which `work` holds the event loop, in units of a quiet machine. The best of several
 * attempts, since garbage collection and other processes disturb single ones; ends early at or below `enough`.
 */
export async function eventLoopDelayOf(work: () => Promise<unknown>, enough: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && best > enough; attempt++) {
    const before = slowdown();
    const held = await longestTurnOf(work);
    best = Math.min(best, held / Math.max(before, slowdown()));
  }
  return best;
}

/** The smaller of two figures: the delay of timers counts preemption by other processes, the CPU time of a turn does not. */
async function longestTurnOf(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const turns = watchTurns();
  // The monitor compares one tick of its timer with the tick before, so it needs a first one.
  await sleep(5);
  await work();
  await sleep(5);
  delay.disable();
  return Math.min(delay.max / 1e6, turns.stop());
}

/** Keeps the largest CPU time of this thread between two turns of its event loop. */
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

/** How many times more CPU time a fixed piece of work, without memory to collect, takes now than on a quiet machine; at least 1. */
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

/** CPU milliseconds of this thread. Linux may count them in steps of 4, one tick of its clock. */
function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
