import { AsyncLocalStorage } from 'node:async_hooks';

const inJob = new AsyncLocalStorage<true>();

/** Runs `work` so that `isInJob` returns true in it. */
export function runInJob<Result>(work: () => Promise<Result>): Promise<Result> {
  return inJob.run(true, work);
}

/** Whether the caller is the work of a job, including its timers and promises. */
export function isInJob(): boolean {
  return inJob.getStore() === true;
}
