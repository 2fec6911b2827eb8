import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const ATTEMPTS = 12;
const SPIN_MS = 10;

/**
 * Milliseconds for which `work` holds the event loop at the longest, on a machine of one's own: divided by how much longer the
 * machine takes, at that moment, for work of its processor. The best of several attempts, since others may come in between; it
 * ends early below `enough`.
 */
export async function loopDelayOf(work: () => Promise<unknown>, enough: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && best > enough; attempt++) {
    const before = slowdown();
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await work();
    await sleep(5);
    delay.disable();
    best = Math.min(best, delay.max / 1e6 / Math.max(before, slowdown()));
  }
  return best;
}

/** How many times longer a piece of work takes than the processor works for it. */
function slowdown(): number {
  const startedAt = performance.now();
  const cpuBefore = cpuTime();
  while (cpuTime() - cpuBefore < SPIN_MS);
  return Math.max(1, (performance.now() - startedAt) / SPIN_MS);
}

function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
