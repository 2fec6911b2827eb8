/** The check cannot run. Results show the message. */
export class CheckError extends Error {
  override readonly name = 'CheckError';
}
