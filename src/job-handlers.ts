import { type ArtifactCleanupData, artifactCleanupQueue } from './artifacts/artifact-cleanup-job.js';
import { type ArtifactCleanupServices, cleanUpArtifact } from './artifacts/clean-up-artifact.js';
import { flushBatches } from './ingest/flush-batches.js';
import { type FlushBatchesData, flushBatchesQueue } from './ingest/flush-batches-job.js';
import type { ConnectionServices } from './instances/credentials/connection-context.js';
import { type CredentialTestData, credentialTestQueue } from './instances/credentials/credential-test-job.js';
import type { JobHandler } from './kernel/jobs/job-queue.js';
import { tableQualityQueue } from './quality/contracts/table-quality-job.js';
import { monitorTable } from './quality/runs/monitor-table.js';
import type { QualityServices } from './quality/runs/quality-services.js';
import { applyRetention } from './tables/files/apply-retention.js';
import { cleanUpTable } from './tables/files/clean-up-table.js';
import { compactTable } from './tables/files/compact-table.js';
import { type TableJobData, tableCleanupQueue } from './tables/files/table-cleanup-job.js';
import { tableCompactionQueue, tableRetentionQueue } from './tables/files/table-maintenance.js';
import { failOrphanedPublication } from './tables/publications/fail-orphaned-publication.js';
import { publicationWatchQueue } from './tables/publications/publication-watch-job.js';
import { type PublishArtifactData, publishArtifactQueue } from './tables/publications/publish-artifact-job.js';
import { runPublication } from './tables/publications/run-publication.js';
import type { TableServices } from './tables/table-context.js';

interface JobHandlerServices extends Pick<ArtifactCleanupServices, 'em' | 'tables'> {
  readonly connections: ConnectionServices;
  readonly artifacts: Pick<ArtifactCleanupServices, 'store' | 'jobs'>;
  readonly tableServices: TableServices;
  readonly quality: QualityServices;
}

/** The background work of all domains: what their manifests announce, with what it takes to run. */
export function createJobHandlers({
  em,
  tables,
  connections,
  artifacts,
  tableServices: landed,
  quality,
}: JobHandlerServices): readonly JobHandler[] {
  const credentialTest: JobHandler<CredentialTestData> = {
    ...credentialTestQueue,
    run: (data, { id }) => connections.credentialTester.runTestJob(data, id),
  };
  const artifactCleanup: JobHandler<ArtifactCleanupData> = {
    ...artifactCleanupQueue,
    run: (data) => cleanUpArtifact({ em, tables, ...artifacts }, data),
  };
  const landing: JobHandler<FlushBatchesData> = {
    ...flushBatchesQueue,
    run: (data, job) => flushBatches(landed, data, job),
  };
  const publications: JobHandler<PublishArtifactData>[] = [
    { ...publishArtifactQueue, run: (data, job) => runPublication(landed, data, job) },
    { ...publicationWatchQueue, run: (data) => failOrphanedPublication(landed, data) },
  ];
  const tableJobs: JobHandler<TableJobData>[] = [
    { ...tableCleanupQueue, run: (data, { signal }) => cleanUpTable(landed, data, signal) },
    { ...tableCompactionQueue, run: (data, { signal }) => compactTable(landed, data, signal) },
    { ...tableRetentionQueue, run: (data, { signal }) => applyRetention(landed, data, signal) },
    { ...tableQualityQueue, run: (data, job) => monitorTable(quality, data, job) },
  ];
  return [credentialTest, artifactCleanup, landing, ...publications, ...tableJobs] as JobHandler[];
}
