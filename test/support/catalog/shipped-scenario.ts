import type { StubReply } from '../servers/any-host-server.js';
import type { StubbedVendor } from './shipped-server.js';

/** A vendor's response and its expected classification. `because` explains an inexact classification. */
export interface ExpectedClassification {
  readonly reply: StubReply;
  readonly as: 'auth_failed' | 'insufficient_permissions' | 'expired' | 'config_invalid';
  readonly because?: string;
}

/**
 * The responses of a vendor to each state of a credential: valid, wrong, expired or without permission. The tests use
 * the same responses with the statuses 429 and 500 for all vendors.
 */
export interface Scenario extends StubbedVendor {
  readonly identity?: string;
  /** Scopes in the response. Set if the definition reads them. */
  readonly scopes?: readonly string[];
  readonly addressValues?: Readonly<Record<string, string>>;
  readonly forbidden: ExpectedClassification;
  /** Response to a request with an expired credential. */
  readonly expired?: ExpectedClassification;
  /** Response to a token exchange with an expired credential. */
  readonly expiredExchange?: ExpectedClassification;
  /** Rate limit responses other than 429. */
  readonly limited?: readonly StubReply[];
}

export type Scenarios = Readonly<Record<string, Scenario>>;

export function aReply(status: number, body?: unknown, headers?: Record<string, string>): StubReply {
  return { status, body, headers };
}

export function forbiddenReply(status: number, body: unknown): ExpectedClassification {
  return { reply: aReply(status, body), as: 'insufficient_permissions' };
}

export function expiredReply(status: number, body: unknown): ExpectedClassification {
  return { reply: aReply(status, body), as: 'expired' };
}

/** Returns a response of the vendor that has two possible causes. */
export function ambiguousReply(
  because: string,
  { status, body }: StubReply,
  as: ExpectedClassification['as'] = 'auth_failed',
): ExpectedClassification {
  return { reply: aReply(status, body), as, because };
}

/** Returns the response of a token endpoint (RFC 6749, section 5.1). */
export function tokenReply(more: object = {}): (accessToken: string) => object {
  return (access_token) => ({ token_type: 'bearer', access_token, expires_in: 3_600, ...more });
}

export const invalidGrant: StubReply = aReply(400, {
  error: 'invalid_grant',
  error_description: 'The token is not valid.',
});

export const expiredRefresh: ExpectedClassification = { reply: invalidGrant, as: 'expired' };
