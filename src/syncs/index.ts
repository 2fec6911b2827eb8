import type { DomainManifest } from '../kernel/entities/domain-manifest.js';
import { defineJob } from '../kernel/jobs/job-queue.js';
import { syncLists } from './edges.js';
import { runStep } from './runs/run-step.js';
import type { SyncServices } from './runs/sync-services.js';
import { syncStepQueue } from './runs/sync-step-job.js';
import { SyncSlice } from './sync-slice.js';
import { TapRun } from './tap-run.js';
import { TapState } from './tap-state.js';

interface JobServices {
  readonly syncs: SyncServices;
}

export const syncs: DomainManifest<JobServices> = {
  entities: [TapRun, SyncSlice, TapState],
  resolvers: [],
  lists: syncLists,
  jobs: [defineJob(syncStepQueue, ({ syncs }, data, job) => runStep(syncs, data, job))],
};
