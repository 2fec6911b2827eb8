/** Timeout for connectors whose definition has no `timeoutSeconds`. */
export const DEFAULT_TIMEOUT_SECONDS = 30;
