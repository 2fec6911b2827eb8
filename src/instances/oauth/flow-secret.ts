import { createHash, randomBytes } from 'node:crypto';

/** Generates a secret of 256 random bits. */
export function generateFlowSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Returns the stored form of a secret: its SHA-256 in hexadecimal. The hash needs no salt, because an attacker cannot
 * guess 256 random bits.
 */
export function hashFlowSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
