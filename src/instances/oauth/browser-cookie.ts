import { timingSafeEqual } from 'node:crypto';
import { hashFlowSecret } from './flow-secret.js';

/**
 * The browser that starts a sign-in keeps a secret in a cookie, by which the page at its end tells it from the browser of somebody who was
 * sent a link that another has prepared.
 */
export function browserCookieName(state: string, baseUrl: string): string {
  // Under this prefix no neighbour below the same domain can plant one (RFC 6265bis, section 4.1.3.2); it needs https.
  const prefix = baseUrl.startsWith('https:') ? '__Host-' : '';
  return `${prefix}taproot_oauth_${hashFlowSecret(state).slice(0, 16)}`;
}

/** Whether what a browser brings is the secret of this hash. */
export function matchesBrowserSecret(brought: string | undefined, hash: string): boolean {
  return (
    brought !== undefined && timingSafeEqual(Buffer.from(hashFlowSecret(brought), 'hex'), Buffer.from(hash, 'hex'))
  );
}
