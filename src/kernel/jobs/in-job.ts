import { AsyncLocalStorage } from 'node:async_hooks';

const inJob = new AsyncLocalStorage<true>();

/** Runs `work`. `isInJob` returns true during `work`. */
export function runInJob<Result>(work: () => Promise<Result>): Promise<Result> {
  return inJob.run(true, work);
}

/** Returns whether a job runs the current code. Also true in timers and promises that the job started. */
export function isInJob(): boolean {
  return inJob.getStore() === true;
}
