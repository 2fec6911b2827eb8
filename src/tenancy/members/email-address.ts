/**
 * The spelling under which an address is known: the case of A to Z does not matter. That of other letters does, since
 * `toLowerCase` makes a k of the Kelvin sign, and two people's addresses one.
 */
export function normalizeEmail(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
