import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { EntityTables } from '../kernel/entities/entity-tables.js';
import type { FileStore } from '../kernel/files/file-store.js';
import type { Jobs } from '../kernel/jobs/jobs.js';
import { runTenantTransaction, type TenantTransaction } from '../kernel/reading/tenant-transaction.js';
import { addStorageUsage } from '../tenancy/storage-quota.js';
import { Artifact } from './artifact.js';
import { type ArtifactCleanupData, scheduleArtifactCleanup } from './artifact-cleanup-job.js';
import { artifactKey } from './artifact-key.js';
import { RETENTION_DAYS } from './delete-artifact.js';

/**
 * Delay before the job deletes the row of a lost upload. The process of the upload may be suspended instead of dead,
 * and may write further bytes during the delay.
 */
const RECHECK_SECONDS = 2 * 3_600;

export interface ArtifactCleanupServices {
  readonly em: EntityManager;
  readonly tables: EntityTables;
  readonly store: FileStore;
  readonly jobs: Jobs;
}

/** Columns that contain names or values from the file. */
const CLEARED_COLUMNS = { dataSchema: null as never, inference: null as never, inferenceError: null as never };

/** An empty object means no work. `all` deletes the bytes and the row. */
type Decision = { recheckSeconds?: number; purge?: 'bytes' | 'all' };

/** Deletes the bytes before the row, so that a retry of the job finds the row after a failure between the two steps. */
export async function cleanUpArtifact(
  services: ArtifactCleanupServices,
  data: ArtifactCleanupData,
  now = new Date(),
): Promise<void> {
  const { em, tables, store, jobs } = services;
  const { tenantId, artifactId } = data;
  const inWorkspace = <Result>(work: Parameters<typeof runTenantTransaction<Result>>[3]): Promise<Result> =>
    runTenantTransaction(em, tables, tenantId, work);
  const { recheckSeconds, purge } = await inWorkspace((tx) => decide(tx, data, now));
  if (purge) {
    await store.delete(artifactKey(tenantId, artifactId));
    await inWorkspace((tx) => purgeRow(tx, data, purge, now));
  }
  if (recheckSeconds !== undefined)
    await inWorkspace((tx) => scheduleArtifactCleanup(jobs, tx.em, data, recheckSeconds));
}

async function purgeRow(
  { em }: TenantTransaction,
  { artifactId: id }: ArtifactCleanupData,
  purge: 'bytes' | 'all',
  purgedAt: Date,
): Promise<void> {
  if (purge === 'all') {
    await em.nativeDelete(Artifact, { id, uploadStatus: 'failed' });
    return;
  }
  const deleted = { id, deletedAt: { $ne: null }, purgedAt: null };
  const artifact = await em.findOne(Artifact, deleted, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (artifact) Object.assign(artifact, { ...CLEARED_COLUMNS, purgedAt });
}

async function decide(
  { em }: TenantTransaction,
  { tenantId, artifactId: id }: ArtifactCleanupData,
  now: Date,
): Promise<Decision> {
  const artifact = await em.findOne(Artifact, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!artifact) return { purge: 'bytes' };
  const { uploadStatus, uploadingUntil, deletedAt, purgedAt } = artifact;
  if (uploadStatus !== 'ready') {
    const left = secondsUntil(uploadingUntil, now);
    if (uploadStatus === 'pending' && left > 0) return { recheckSeconds: left };
    await addStorageUsage(em, tenantId, 'files', -artifact.reservedBytes);
    Object.assign(artifact, { uploadStatus: 'failed', reservedBytes: 0 });
    const recheckSeconds = left + RECHECK_SECONDS;
    return recheckSeconds > 0 ? { purge: 'bytes', recheckSeconds } : { purge: 'all' };
  }
  if (deletedAt && !purgedAt) {
    const left = secondsUntil(new Date(deletedAt.getTime() + RETENTION_DAYS * 86_400_000), now);
    return left > 0 ? { recheckSeconds: left } : { purge: 'bytes' };
  }
  return endLostInference(artifact, now);
}

function endLostInference(artifact: Artifact, now: Date): Decision {
  if (artifact.schemaInferenceStatus !== 'running') return {};
  const left = secondsUntil(artifact.inferringUntil, now);
  if (left > 0) return { recheckSeconds: left };
  artifact.schemaInferenceStatus = 'failed';
  artifact.inferenceError = {
    code: 'WA-AF-099',
    message: 'The inference was interrupted. Run the inference again.',
  };
  return {};
}

function secondsUntil(time: Date | undefined, now: Date): number {
  return Math.ceil(((time?.getTime() ?? 0) - now.getTime()) / 1_000);
}
