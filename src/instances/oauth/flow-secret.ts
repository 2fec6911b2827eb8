import { createHash, randomBytes } from 'node:crypto';

export function generateFlowSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Returns the SHA-256 of a secret in hexadecimal. A salt is unnecessary, because an attacker cannot guess 256 random
 * bits.
 */
export function hashFlowSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
