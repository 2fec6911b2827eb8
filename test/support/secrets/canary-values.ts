import { randomBytes } from 'node:crypto';

/** A secret that is known again wherever it turns up; no two are alike. */
export function canaryValue(): string {
  return `canary-${randomBytes(24).toString('base64url')}`;
}
