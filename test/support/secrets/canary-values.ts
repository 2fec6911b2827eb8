import { randomBytes } from 'node:crypto';

/** Returns a unique secret that tests can find in any output. */
export function canaryValue(): string {
  return `canary-${randomBytes(24).toString('base64url')}`;
}
