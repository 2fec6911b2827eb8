const HOUR_SECONDS = 3_600;

/**
 * Retries of jobs that nothing would enqueue again, so that they survive an outage of the service or the file store
 * that lasts for days.
 */
export const LONG_RETRY_POLICY = {
  retentionDays: 365,
  retries: { limit: 100, delaySeconds: 60, maxDelaySeconds: 6 * HOUR_SECONDS },
};
