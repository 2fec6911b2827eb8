import type { DomainManifest } from '../kernel/entities/domain-manifest.js';
import { Artifact } from './artifact.js';
import { ArtifactResolver } from './artifact.resolver.js';
import { artifactCleanupQueue } from './artifact-cleanup-job.js';

export const artifacts: DomainManifest = {
  entities: [Artifact],
  resolvers: [ArtifactResolver],
  jobs: [artifactCleanupQueue],
};
