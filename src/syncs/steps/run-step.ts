import { DriverException } from '@mikro-orm/core';
import { DatabaseError } from 'pg';
import { LeaseLost, pollUntil } from '../../kernel/concurrency/lease.js';
import { AppError } from '../../kernel/errors.js';
import { FileStoreError } from '../../kernel/files/file-store.js';
import type { RunningJob } from '../../kernel/jobs/job-queue.js';
import { inSpan, spanIdsOf } from '../../kernel/tracing.js';
import { holdTableLease } from '../../tables/files/table-lease.js';
import { StorageQuotaExceededError } from '../../tenancy/storage-quota.js';
import { HeldRows, RejectedRows } from '../held/rejected-rows.js';
import { endTapRun } from '../lifecycle/end-tap-run.js';
import { postponeAfterFailure, postponeRun } from '../lifecycle/postpone-run.js';
import { stopSync } from '../lifecycle/stop-sync.js';
import type { LoadedRun } from '../runs/load-run.js';
import { writeWithLockedConnection } from '../runs/lock-run.js';
import type { RunEnd } from '../runs/run-end.js';
import { inWorkspace, type SyncServices } from '../runs/sync-services.js';
import {
  FAIL_FROM_FAILURE,
  REPEATED_LEASE_WAIT_MS,
  STEP_LEASE_SECONDS,
  type SyncStepData,
  syncStepQueue,
} from '../runs/sync-step-job.js';
import { afterWait } from '../runs/wait-for-vendor.js';
import { TapReadError } from '../tap-read-error.js';
import { TapRun } from '../tap-run.js';
import { type BegunStep, beginStep } from './begin-step.js';
import type { StepEnding } from './step-log.js';
import { RunEnded } from './step-progress.js';
import { TapStep } from './tap-step.js';

/** Another writer may hold the lease of the table for a short time. */
const LEASE_WAIT_MS = 500;
/** The interval grows, because each attempt is a transaction that locks the connection. */
const LEASE_POLL = { intervalMs: 25, maxIntervalMs: 250 };

/** Delay before a retry while another writer holds the lease of the table. */
const LEASE_RETRY_SECONDS = 5;

const TRANSIENT_ERRORS = [FileStoreError, LeaseLost, AppError, DriverException, DatabaseError];

/** If the worker dies, nothing of the step is stored, and the retry reads the same pages again. */
export async function runStep(services: SyncServices, data: SyncStepData, job: RunningJob): Promise<void> {
  const { tableServices } = services;
  const begun = await pollUntil(() => unlessTaken(beginStep(tableServices, data, job)), {
    deadline: performance.now() + (job.attempt > 1 ? REPEATED_LEASE_WAIT_MS : LEASE_WAIT_MS),
    ...LEASE_POLL,
    signal: job.signal,
  });
  if (begun === 'over') return;
  if (!begun) return enqueueAgain(services, data);
  const { loaded, target, held } = begun;
  await holdTableLease(tableServices, loaded, held, STEP_LEASE_SECONDS, async (lease) => {
    const step = new TapStep(services, loaded, target, lease, job);
    try {
      await inSpan('sync.step', spanOf(loaded, job), () => step.run());
    } catch (error) {
      const isInterrupted = job.signal.aborted || lease.signal.aborted;
      await step.recordFailure(endingAfter(error, { isInterrupted, run: loaded.run }));
      await handleFailure(services, loaded, job, error, isInterrupted);
    }
  });
}

/** Returns undefined while another writer holds the lease, and `over` if the step has nothing to read. */
async function unlessTaken(begin: ReturnType<typeof beginStep>): Promise<BegunStep | 'over' | undefined> {
  const begun = await begin;
  return begun === 'taken' ? undefined : (begun ?? 'over');
}

function enqueueAgain(services: SyncServices, data: SyncStepData): Promise<void> {
  const { jobs } = services.tableServices;
  const options = { key: data.runId, startAfter: LEASE_RETRY_SECONDS };
  return inWorkspace(services, data, (tx) => jobs.enqueue(tx.em, syncStepQueue, data, options));
}

/** The parent is the span of the tap run. The service records this span when the tap run ends. */
function spanOf({ jobId, runId, run, definition, connector }: LoadedRun, { attempt }: RunningJob) {
  return {
    parent: spanIdsOf({ whole: jobId, part: runId }),
    attributes: {
      ...{ 'taproot.sync.id': jobId, 'taproot.tap_run.id': runId, 'taproot.tap': definition.name },
      ...{ 'taproot.connector': connector.slug, 'taproot.mode': run.mode, 'taproot.attempt': attempt },
    },
  };
}

async function handleFailure(
  services: SyncServices,
  loaded: LoadedRun,
  job: RunningJob,
  error: unknown,
  isInterrupted: boolean,
): Promise<void> {
  if (error instanceof RunEnded) return;
  if (isInterrupted) throw error;
  if (error instanceof TapReadError && error.action === 'stop_run') return stopSync(services, loaded, job, error);
  if (error instanceof TapReadError && error.action === 'wait') return postponeRun(services, loaded, job, error);
  const end = endAfter(error);
  if (end) return endRun(services, loaded, job, end);
  if (isRetried(error, loaded.run)) {
    await postponeAfterFailure(services, loaded).catch(() => undefined); // The queue retries the job soon in any case.
    throw error;
  }
  services.tableServices.report(error, job.id);
  return endRun(services, loaded, job, { status: 'failed', ...INTERNAL_FAILURE });
}

const INTERNAL_FAILURE = {
  errorClass: 'internal',
  errorMessage: 'The service failed while it read the tap. The log of the service contains the error.',
} as const;

function isRetried(error: unknown, { failedAttempts }: Pick<TapRun, 'failedAttempts'>): boolean {
  return TRANSIENT_ERRORS.some((type) => error instanceof type) || failedAttempts + 1 < FAIL_FROM_FAILURE;
}

function endingAfter(
  error: unknown,
  { isInterrupted, run }: { readonly isInterrupted: boolean; readonly run: Pick<TapRun, 'failedAttempts'> },
): StepEnding {
  if (error instanceof RunEnded) return { outcome: 'cancelled' };
  if (isInterrupted) return { outcome: 'retried' };
  const { errorClass, errorMessage } = endAfter(error) ?? INTERNAL_FAILURE;
  if (error instanceof TapReadError && error.action === 'wait')
    return { outcome: 'waiting', errorClass, errorMessage, waitUntil: afterWait(error) };
  const isEnd = error instanceof TapReadError || endAfter(error) || !isRetried(error, run);
  return { outcome: isEnd ? 'failed' : 'retried', errorClass, errorMessage };
}

/** Returns undefined for an error that is not a failure of the tap. */
function endAfter(error: unknown): RunEnd | undefined {
  if (error instanceof TapReadError) {
    const status = error.action === 'skip_tap' ? 'skipped' : 'failed';
    return { status, errorClass: error.errorClass, errorMessage: error.message };
  }
  if (error instanceof StorageQuotaExceededError)
    return { status: 'failed', errorClass: 'configuration', errorMessage: error.message };
  if (error instanceof RejectedRows)
    return {
      ...{ status: 'failed', errorClass: 'contract', errorMessage: error.message, isRejected: true },
      ...(error instanceof HeldRows && { hold: error.hold }),
    };
  return undefined;
}

async function endRun(
  { tableServices }: SyncServices,
  { tenantId, jobId, instanceId, runId }: LoadedRun,
  job: RunningJob,
  end: RunEnd,
): Promise<void> {
  await writeWithLockedConnection(tableServices, { tenantId, jobId }, job.id, (tx) =>
    endTapRun(tx, tableServices, { jobId, instanceId, runId }, end),
  );
}
