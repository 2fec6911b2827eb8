/** Lifetimes of secrets that a user can choose. */
export const LIFETIMES = { none: 'Never', '30': 'In 30 days', '90': 'In 90 days', '365': 'In a year' };
export type Lifetime = keyof typeof LIFETIMES;

/** Returns the time at which a secret with this lifetime expires. Returns null if it never expires. */
export function expiryIn(lifetime: Lifetime): string | null {
  return lifetime === 'none' ? null : new Date(Date.now() + Number(lifetime) * 86_400_000).toISOString();
}
