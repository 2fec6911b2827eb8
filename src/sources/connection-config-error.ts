/**
 * The configuration is invalid, or the definition of its connector is. The message contains the name of the field or
 * setting. It never contains a value, so callers may see it.
 */
export class ConnectionConfigError extends Error {
  override readonly name = 'ConnectionConfigError';
  readonly errorCode = 'config_invalid';

  constructor(
    readonly field: string,
    problem: string,
  ) {
    super(`${field}: ${problem}`);
  }
}
