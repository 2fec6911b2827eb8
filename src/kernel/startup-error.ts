/** The service cannot start. The message is one line with the remedy. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
