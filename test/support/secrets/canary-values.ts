import { randomBytes } from 'node:crypto';

/** A unique, recognizable secret. */
export function canaryValue(): string {
  return `canary-${randomBytes(24).toString('base64url')}`;
}
