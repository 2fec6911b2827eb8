import type { StubbedVendor, StubReply } from './shipped-server.js';

/** What a vendor answers, and what can be told from it; where that is less than the truth, why. */
export interface ExpectedClassification {
  readonly reply: StubReply;
  readonly as: 'auth_failed' | 'insufficient_permissions' | 'expired' | 'config_invalid';
  readonly because?: string;
}

/** How a vendor answers in all situations that a credential gets into. Throttled (429) and down (500) are the same for all. */
export interface Scenario extends StubbedVendor {
  readonly identity?: string;
  /** What the vendor says it granted, where the definition reads it. */
  readonly scopes?: readonly string[];
  readonly addressValues?: Readonly<Record<string, string>>;
  readonly forbidden: ExpectedClassification;
  /** To a call with a credential that is over. */
  readonly expired?: ExpectedClassification;
  /** To an exchange with one. */
  readonly expiredExchange?: ExpectedClassification;
  /** Other ways to say: too many requests. */
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

/** The vendor says the same of two things. */
export function ambiguousReply(
  because: string,
  { status, body }: StubReply,
  as: ExpectedClassification['as'] = 'auth_failed',
): ExpectedClassification {
  return { reply: aReply(status, body), as, because };
}

/** The reply of a token endpoint (RFC 6749, section 5.1). */
export function tokenReply(more: object = {}): (accessToken: string) => object {
  return (access_token) => ({ token_type: 'bearer', access_token, expires_in: 3_600, ...more });
}

export const invalidGrant: StubReply = aReply(400, {
  error: 'invalid_grant',
  error_description: 'The token is not valid.',
});

export const expiredRefresh: ExpectedClassification = { reply: invalidGrant, as: 'expired' };
