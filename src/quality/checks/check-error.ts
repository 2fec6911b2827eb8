/** The check cannot run. The result of the check contains the message. */
export class CheckError extends Error {
  override readonly name = 'CheckError';
}
