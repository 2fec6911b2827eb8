/**
 * Converts only A to Z to lower case, because `toLowerCase` would merge the addresses of two people. For example, it
 * turns the Kelvin sign into a k.
 */
export function normalizeEmail(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
