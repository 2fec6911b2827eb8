import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { RequestCredentials, VerifiedCredentials } from '../tenancy/authentication/authenticator.js';

const MAX_ENTRIES = 10_000;
/** As long as the window of the limit that a rejected subject counts against. */
const REJECTED_TTL_MS = 60_000;

/** The outcome of earlier requests with the same credentials, so that a limit can reject a request before its credentials are verified. */
export class AuthenticationHistory {
  readonly #limitKeys = new LRUCache<string, string>({ max: MAX_ENTRIES });
  readonly #rejected = new LRUCache<string, true>({ max: MAX_ENTRIES, ttl: REJECTED_TTL_MS });

  /** What the latest request counted under, if its credentials were accepted. */
  limitKeyOf(credentials: RequestCredentials): string | undefined {
    return this.#limitKeys.get(hashOf(credentials));
  }

  /** Anyone can make up an API key of the right form. A signed token is trusted until its subject is rejected. */
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
