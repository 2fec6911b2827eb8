const HOUR_SECONDS = 3_600;

/** For jobs that nothing would enqueue again: survives a service or file store that is unavailable for days. */
export const LONG_RETRY_POLICY = {
  retentionDays: 365,
  retries: { limit: 100, delaySeconds: 60, maxDelaySeconds: 6 * HOUR_SECONDS },
};
