import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { RequestCredentials, VerifiedCredentials } from '../tenancy/authentication/authenticator.js';

const MAX_ENTRIES = 10_000;
/** Equals the window of the rate limit `public`, which applies to rejected subjects. */
const REJECTED_TTL_MS = 60_000;

/**
 * Remembers which credentials the service accepted or rejected, so that a rate limit can reject a request before the
 * service verifies its credentials.
 */
export class AuthenticationHistory {
  readonly #limitKeys = new LRUCache<string, string>({ max: MAX_ENTRIES });
  readonly #rejected = new LRUCache<string, true>({ max: MAX_ENTRIES, ttl: REJECTED_TTL_MS });

  /** Returns the rate limit key of the latest request with these credentials, if the service accepted that request. */
  limitKeyOf(credentials: RequestCredentials): string | undefined {
    return this.#limitKeys.get(hashOf(credentials));
  }

  /**
   * Returns whether a rate limit must apply before the authentication. An API key is always untrusted, because an
   * attacker can invent well-formed keys. A signed token is untrusted for 60 s after the service has rejected its
   * subject.
   */
  isUntrusted(claim: VerifiedCredentials): boolean {
    return claim.kind === 'api_key' || this.#rejected.has(subjectOf(claim));
  }

  accept(credentials: RequestCredentials, claim: VerifiedCredentials, limitKey: string): void {
    this.#limitKeys.set(hashOf(credentials), limitKey);
    this.#rejected.delete(subjectOf(claim));
  }

  reject(credentials: RequestCredentials, claim: VerifiedCredentials): void {
    this.#limitKeys.delete(hashOf(credentials));
    this.#rejected.set(subjectOf(claim), true);
  }
}

function hashOf({ token, slug = '' }: RequestCredentials): string {
  return createHash('sha256').update(`${slug} ${token}`).digest('base64');
}

function subjectOf(claim: VerifiedCredentials): string {
  if (claim.kind === 'api_key') return claim.hash;
  const { issuer, subject } = claim.identity;
  return JSON.stringify([issuer, subject, claim.slug]);
}
