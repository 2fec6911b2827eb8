/**
 * The configuration of a connection or the definition of its connector is invalid. The message contains the name of the
 * field or setting, but never a value, so callers may see the message.
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
