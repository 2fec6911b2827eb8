/** Why the service cannot start, in one line that says what to do. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
