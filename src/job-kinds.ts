import type { ConnectionParts } from './instances/connection-context.js';
import { type CredentialTestData, credentialTestQueue } from './instances/credential-test-job.js';
import type { JobKind } from './kernel/job-queue.js';

/** The background work of all domains: what their manifests announce, with what it takes to run. */
export function jobKinds({ connections }: { connections: ConnectionParts }): readonly JobKind[] {
  const credentialTest: JobKind<CredentialTestData> = {
    ...credentialTestQueue,
    run: (data, { id }) => connections.tests.testLater(data, id),
  };
  return [credentialTest as JobKind];
}
