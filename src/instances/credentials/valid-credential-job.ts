import type { JobQueue } from '../../kernel/jobs/job-queue.js';
import { LONG_RETRY_POLICY } from '../../kernel/jobs/long-retry-policy.js';

export type ValidCredentialData = {
  readonly tenantId: string;
  readonly instanceId: string;
};

/** Runs when credentials of a connection have become valid. A later domain handles it. */
export const validCredentialQueue: JobQueue<ValidCredentialData> = {
  name: 'valid-credential',
  timeoutSeconds: 60,
  ...LONG_RETRY_POLICY,
};
