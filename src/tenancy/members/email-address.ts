/**
 * The canonical form of an email address, with A to Z in lower case. Other letters keep their case: `toLowerCase` turns
 * the Kelvin sign into a k, which would merge two people's addresses.
 */
export function normalizeEmail(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
