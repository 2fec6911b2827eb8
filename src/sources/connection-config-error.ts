/** The message contains the name of a field or setting, but never a value, so callers may see the message. */
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
