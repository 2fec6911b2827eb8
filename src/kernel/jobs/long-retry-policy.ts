const HOUR_SECONDS = 3_600;

/**
 * Retries for days. For jobs that no other event enqueues again, and that must survive a long outage of the service or
 * the file store.
 */
export const LONG_RETRY_POLICY = {
  retentionDays: 365,
  retries: { limit: 100, delaySeconds: 60, maxDelaySeconds: 6 * HOUR_SECONDS },
};
