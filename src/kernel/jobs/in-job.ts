import { AsyncLocalStorage } from 'node:async_hooks';

const inJob = new AsyncLocalStorage<true>();

export function runInJob<Result>(work: () => Promise<Result>): Promise<Result> {
  return inJob.run(true, work);
}

/** Also true in timers and promises that a job started. */
export function isInJob(): boolean {
  return inJob.getStore() === true;
}
