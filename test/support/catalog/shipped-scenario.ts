import type { StubReply } from '../servers/any-host-server.js';
import type { StubbedVendor } from './shipped-server.js';

/** `because` explains why the classification is inexact. */
export interface ExpectedClassification {
  readonly reply: StubReply;
  readonly as: 'auth_failed' | 'insufficient_permissions' | 'expired' | 'config_invalid';
  readonly because?: string;
}

/**
 * The responses of a vendor to a valid, a wrong and an expired credential, and to a credential without permission.
 * The tests add responses 429 and 500 for every vendor.
 */
export interface Scenario extends StubbedVendor {
  readonly identity?: string;
  /** Scopes in the response, if the definition reads them. */
  readonly scopes?: readonly string[];
  readonly addressValues?: Readonly<Record<string, string>>;
  readonly forbidden: ExpectedClassification;
  readonly expired?: ExpectedClassification;
  /** Response of the token endpoint to an expired credential. */
  readonly expiredExchange?: ExpectedClassification;
  /** Rate limit responses with a status other than 429. */
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

/** The vendor returns this response for two different causes. */
export function ambiguousReply(
  because: string,
  { status, body }: StubReply,
  as: ExpectedClassification['as'] = 'auth_failed',
): ExpectedClassification {
  return { reply: aReply(status, body), as, because };
}

/** RFC 6749, section 5.1. */
export function tokenReply(more: object = {}): (accessToken: string) => object {
  return (access_token) => ({ token_type: 'bearer', access_token, expires_in: 3_600, ...more });
}

export const invalidGrant: StubReply = aReply(400, {
  error: 'invalid_grant',
  error_description: 'The token is not valid.',
});

export const expiredRefresh: ExpectedClassification = { reply: invalidGrant, as: 'expired' };
