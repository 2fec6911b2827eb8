export const LIFETIMES = { none: 'Never', '30': 'In 30 days', '90': 'In 90 days', '365': 'In a year' };
export type Lifetime = keyof typeof LIFETIMES;

/** Returns null for `none`. */
export function expiryIn(lifetime: Lifetime): string | null {
  return lifetime === 'none' ? null : new Date(Date.now() + Number(lifetime) * 86_400_000).toISOString();
}
