/** Used if the definition of a connector has no `timeoutSeconds`. */
export const DEFAULT_TIMEOUT_SECONDS = 30;
