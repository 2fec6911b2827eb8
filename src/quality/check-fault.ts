/** Why a check cannot be made, in a sentence for people. */
export class CheckFault extends Error {
  override readonly name = 'CheckFault';
}
