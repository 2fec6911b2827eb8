import { type ArtifactCleanupData, artifactCleanupQueue } from './artifacts/artifact-cleanup-job.js';
import { type CleanupParts, cleanUpArtifact } from './artifacts/clean-up-artifact.js';
import type { ConnectionParts } from './instances/connection-context.js';
import { type CredentialTestData, credentialTestQueue } from './instances/credential-test-job.js';
import type { JobKind } from './kernel/job-queue.js';

interface Parts extends Pick<CleanupParts, 'em' | 'tables'> {
  readonly connections: ConnectionParts;
  readonly artifacts: Pick<CleanupParts, 'store' | 'jobs'>;
}

/** The background work of all domains: what their manifests announce, with what it takes to run. */
export function jobKinds({ em, tables, connections, artifacts }: Parts): readonly JobKind[] {
  const credentialTest: JobKind<CredentialTestData> = {
    ...credentialTestQueue,
    run: (data, { id }) => connections.tests.testLater(data, id),
  };
  const artifactCleanup: JobKind<ArtifactCleanupData> = {
    ...artifactCleanupQueue,
    run: (data) => cleanUpArtifact({ em, tables, ...artifacts }, data),
  };
  return [credentialTest as JobKind, artifactCleanup as JobKind];
}
