import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits. */
export function generateFlowSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What is kept of such a secret: SHA-256, hexadecimal. It needs no salt, for nobody guesses 256 bits. */
export function hashFlowSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
