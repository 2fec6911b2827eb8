import type { Domain } from '../kernel/domain.js';
import { Artifact } from './artifact.js';
import { ArtifactResolver } from './artifact.resolver.js';
import { artifactCleanupQueue } from './artifact-cleanup-job.js';

export const artifacts: Domain = {
  entities: [Artifact],
  resolvers: [ArtifactResolver],
  jobs: [artifactCleanupQueue],
};
