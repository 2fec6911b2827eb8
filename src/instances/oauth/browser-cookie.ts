import { timingSafeEqual } from 'node:crypto';
import { hashFlowSecret } from './flow-secret.js';

/**
 * The cookie binds a sign-in to the browser that started it. Otherwise, an attacker could start a sign-in and let the
 * browser of a victim complete it (login CSRF).
 */
export function browserCookieName(state: string, baseUrl: string): string {
  // The prefix prevents sibling domains from setting the cookie (RFC 6265bis, section 4.1.3.2), and requires HTTPS.
  const prefix = baseUrl.startsWith('https:') ? '__Host-' : '';
  return `${prefix}taproot_oauth_${hashFlowSecret(state).slice(0, 16)}`;
}

export function matchesBrowserSecret(secret: string | undefined, hash: string): boolean {
  return secret !== undefined && timingSafeEqual(Buffer.from(hashFlowSecret(secret), 'hex'), Buffer.from(hash, 'hex'));
}
