/** Lifetimes of secrets that a person can choose. */
export const LIFETIMES = { none: 'Never', '30': 'In 30 days', '90': 'In 90 days', '365': 'In a year' };
export type Lifetime = keyof typeof LIFETIMES;

/** The time at which a secret with this lifetime expires; null if it does not expire. */
export function expiryIn(lifetime: Lifetime): string | null {
  return lifetime === 'none' ? null : new Date(Date.now() + Number(lifetime) * 86_400_000).toISOString();
}
