/** Why a check cannot be made, in a sentence for people. */
export class CheckError extends Error {
  override readonly name = 'CheckError';
}
