import { type ArtifactCleanupData, artifactCleanupQueue } from './artifacts/artifact-cleanup-job.js';
import { type CleanupParts, cleanUpArtifact } from './artifacts/clean-up-artifact.js';
import { landBatches } from './ingest/land-batches.js';
import { type LandBatchesData, landBatchesQueue } from './ingest/land-batches-job.js';
import type { ConnectionParts } from './instances/connection-context.js';
import { type CredentialTestData, credentialTestQueue } from './instances/credential-test-job.js';
import type { JobKind } from './kernel/job-queue.js';
import { lookAtTable } from './quality/look-at-table.js';
import type { QualityParts } from './quality/quality-context.js';
import { tableQualityQueue } from './quality/table-quality-job.js';
import { applyRetention } from './tables/apply-retention.js';
import { cleanUpTable } from './tables/clean-up-table.js';
import { compactTable } from './tables/compact-table.js';
import { publicationWatchQueue } from './tables/publication-watch-job.js';
import { type PublishArtifactData, publishArtifactQueue } from './tables/publish-artifact-job.js';
import { runPublication } from './tables/run-publication.js';
import { type TableJobData, tableCleanupQueue } from './tables/table-cleanup-job.js';
import type { TableParts } from './tables/table-context.js';
import { tableCompactionQueue, tableRetentionQueue } from './tables/table-upkeep.js';
import { watchPublication } from './tables/watch-publication.js';

interface Parts extends Pick<CleanupParts, 'em' | 'tables'> {
  readonly connections: ConnectionParts;
  readonly artifacts: Pick<CleanupParts, 'store' | 'jobs'>;
  readonly landed: TableParts;
  readonly quality: QualityParts;
}

/** The background work of all domains: what their manifests announce, with what it takes to run. */
export function jobKinds({ em, tables, connections, artifacts, landed, quality }: Parts): readonly JobKind[] {
  const credentialTest: JobKind<CredentialTestData> = {
    ...credentialTestQueue,
    run: (data, { id }) => connections.tests.testLater(data, id),
  };
  const artifactCleanup: JobKind<ArtifactCleanupData> = {
    ...artifactCleanupQueue,
    run: (data) => cleanUpArtifact({ em, tables, ...artifacts }, data),
  };
  const landing: JobKind<LandBatchesData> = {
    ...landBatchesQueue,
    run: (data, job) => landBatches(landed, data, job),
  };
  const publications: JobKind<PublishArtifactData>[] = [
    { ...publishArtifactQueue, run: (data, job) => runPublication(landed, data, job) },
    { ...publicationWatchQueue, run: (data) => watchPublication(landed, data) },
  ];
  const tableJobs: JobKind<TableJobData>[] = [
    { ...tableCleanupQueue, run: (data, { signal }) => cleanUpTable(landed, data, signal) },
    { ...tableCompactionQueue, run: (data, { signal }) => compactTable(landed, data, signal) },
    { ...tableRetentionQueue, run: (data, { signal }) => applyRetention(landed, data, signal) },
    { ...tableQualityQueue, run: (data, job) => lookAtTable(quality, data, job) },
  ];
  return [credentialTest, artifactCleanup, landing, ...publications, ...tableJobs] as JobKind[];
}
