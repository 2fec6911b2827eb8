import type { JobQueue } from '../../kernel/jobs/job-queue.js';
import { LONG_RETRY_POLICY } from '../../kernel/jobs/long-retry-policy.js';
import type { ValidationTrigger } from '../credential-validation.js';

export type CredentialTestData = {
  readonly tenantId: string;
  readonly credentialId: string;
  readonly trigger: ValidationTrigger;
  /** Number of consecutive inconclusive tests before this test. */
  readonly inconclusive?: number;
};

/** Each test schedules the next test, so a job must survive long outages. */
export const credentialTestQueue: JobQueue<CredentialTestData> = {
  name: 'credential-test',
  timeoutSeconds: 120,
  // A waiting test holds no database connection, so many tests can run concurrently.
  concurrency: 8,
  perTenant: 2,
  retentionDays: LONG_RETRY_POLICY.retentionDays,
  retries: { ...LONG_RETRY_POLICY.retries, delaySeconds: 5 },
};
