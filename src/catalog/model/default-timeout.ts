/** Seconds. Of a connector whose definition names no `timeoutSeconds`. */
export const DEFAULT_TIMEOUT_SECONDS = 30;
