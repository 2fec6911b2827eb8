import { validCredentialQueue } from '../instances/credentials/valid-credential-job.js';
import type { DomainManifest } from '../kernel/entities/domain-manifest.js';
import { defineJob } from '../kernel/jobs/job-queue.js';
import { syncLists, syncRows } from './edges.js';
import { HeldRowsResolver } from './held/held-rows.resolver.js';
import type { SyncServices } from './runs/sync-services.js';
import { syncStepQueue } from './runs/sync-step-job.js';
import { dueSyncQueue } from './schedules/due-sync-job.js';
import { SyncJobAdviceResolver, TapRunAdviceResolver } from './schedules/failure-advice.resolver.js';
import { ObjectListResolver } from './schedules/object-list.resolver.js';
import { startDueSyncs } from './schedules/start-due-syncs.js';
import { startInitialSync } from './schedules/start-initial-sync.js';
import { SyncResolver } from './schedules/sync.resolver.js';
import { SyncScheduleResolver } from './schedules/sync-schedule.resolver.js';
import { SyncTimelineResolver } from './schedules/sync-timeline.resolver.js';
import { TapResetResolver } from './schedules/tap-reset.resolver.js';
import { TapTrialResolver } from './schedules/tap-trial.resolver.js';
import { runStep } from './steps/run-step.js';
import { SyncSchedule } from './sync-schedule.js';
import { SyncSlice } from './sync-slice.js';
import { TapRun } from './tap-run.js';
import { TapRunLog } from './tap-run-log.js';
import { TapState } from './tap-state.js';

interface JobServices {
  readonly syncs: SyncServices;
}

export const syncs: DomainManifest<JobServices> = {
  entities: [TapRun, TapRunLog, SyncSlice, TapState, SyncSchedule],
  resolvers: [
    SyncResolver,
    SyncScheduleResolver,
    HeldRowsResolver,
    TapTrialResolver,
    TapResetResolver,
    ObjectListResolver,
    SyncTimelineResolver,
    SyncJobAdviceResolver,
    TapRunAdviceResolver,
  ],
  lists: syncLists,
  rows: syncRows,
  jobs: [
    defineJob(syncStepQueue, ({ syncs }, data, job) => runStep(syncs, data, job)),
    defineJob(dueSyncQueue, ({ syncs }, data, job) => startDueSyncs(syncs.tableServices, data, job)),
    defineJob(validCredentialQueue, ({ syncs }, data, job) => startInitialSync(syncs, data, job)),
  ],
};
