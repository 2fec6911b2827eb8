/**
 * Returns the canonical form of an email address, with A to Z in lower case. Other letters keep their case, because
 * `toLowerCase` would merge the addresses of two people. For example, it turns the Kelvin sign into a k.
 */
export function normalizeEmail(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
