import type { JobQueue } from '../../kernel/jobs/job-queue.js';
import { LONG_RETRY_POLICY } from '../../kernel/jobs/long-retry-policy.js';

export type ValidCredentialData = {
  readonly tenantId: string;
  readonly instanceId: string;
};

/** The domain `syncs` defines the handler. */
export const validCredentialQueue: JobQueue<ValidCredentialData> = {
  name: 'valid-credential',
  timeoutSeconds: 60,
  ...LONG_RETRY_POLICY,
};
