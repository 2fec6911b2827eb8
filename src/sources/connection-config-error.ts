/**
 * The configuration, or the definition behind it, cannot be used as it stands. The message names the field or setting and
 * is safe to show: it never holds a value.
 */
export class ConnectionConfigError extends Error {
  override readonly name = 'ConnectionConfigError';
  readonly errorCode = 'config_invalid';

  constructor(
    readonly field: string,
    complaint: string,
  ) {
    super(`${field}: ${complaint}`);
  }
}
