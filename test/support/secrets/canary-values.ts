import { randomBytes } from 'node:crypto';

/** Returns a unique, recognizable secret. */
export function canaryValue(): string {
  return `canary-${randomBytes(24).toString('base64url')}`;
}
