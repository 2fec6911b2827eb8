import { createHash, randomBytes } from 'node:crypto';

/** Generates a secret of 256 random bits. */
export function generateFlowSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Hexadecimal SHA-256, the stored form of a secret. Needs no salt, because 256 random bits cannot be guessed. */
export function hashFlowSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
