import type { DomainManifest } from '../kernel/entities/domain-manifest.js';
import { defineJob } from '../kernel/jobs/job-queue.js';
import { Artifact } from './artifact.js';
import { ArtifactResolver } from './artifact.resolver.js';
import { artifactCleanupQueue } from './artifact-cleanup-job.js';
import { type ArtifactCleanupServices, cleanUpArtifact } from './clean-up-artifact.js';
import { artifactLists, artifactRows } from './edges.js';

interface JobServices extends Pick<ArtifactCleanupServices, 'em' | 'tables'> {
  readonly artifacts: Pick<ArtifactCleanupServices, 'store' | 'jobs'>;
}

export const artifacts: DomainManifest<JobServices> = {
  entities: [Artifact],
  resolvers: [ArtifactResolver],
  lists: artifactLists,
  rows: artifactRows,
  jobs: [
    defineJob(artifactCleanupQueue, ({ em, tables, artifacts }, data) =>
      cleanUpArtifact({ em, tables, ...artifacts }, data),
    ),
  ],
};
