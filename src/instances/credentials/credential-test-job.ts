import type { JobQueue } from '../../kernel/jobs/job-queue.js';
import { LONG_RETRY_POLICY } from '../../kernel/jobs/long-retry-policy.js';
import type { ValidationTrigger } from '../credential-validation.js';

/** A test that is to be made without anybody waiting for it. */
export type CredentialTestData = {
  readonly tenantId: string;
  readonly credentialId: string;
  readonly trigger: ValidationTrigger;
  /** How many tests before this one could not tell. */
  readonly inconclusive?: number;
};

/** Each test plans the next one, so none must be lost while the service is off, or a Vault away for days. */
export const credentialTestQueue: JobQueue<CredentialTestData> = {
  name: 'credential-test',
  timeoutSeconds: 120,
  concurrency: 8, // a source may take its time, and no connection to the database is held meanwhile
  perTenant: 2,
  retentionDays: LONG_RETRY_POLICY.retentionDays,
  retries: { ...LONG_RETRY_POLICY.retries, delaySeconds: 5 },
};
