/**
 * Converts only A to Z to lower case. `toLowerCase` also converts other characters, such as the Kelvin sign to `k`, and
 * could give two people the same address.
 */
export function normalizeEmail(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
