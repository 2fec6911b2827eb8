import { createHash, randomBytes } from 'node:crypto';

export function generateFlowSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** A salt is unnecessary, because an attacker cannot guess 256 random bits. */
export function hashFlowSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
