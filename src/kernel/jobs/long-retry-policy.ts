const HOUR_SECONDS = 3_600;

/** How queues wait whose jobs have no later chance: for a service that was off for long, too, and a file store that may be away for days. */
export const LONG_RETRY_POLICY = {
  retentionDays: 365,
  retries: { limit: 100, delaySeconds: 60, maxDelaySeconds: 6 * HOUR_SECONDS },
};
