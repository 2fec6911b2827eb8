import type { Played, PlayedReply } from './shipped-server.js';

/** What a vendor answers, and what can be told from it; where that is less than the truth, why. */
export interface Told {
  readonly reply: PlayedReply;
  readonly as: 'auth_failed' | 'insufficient_permissions' | 'expired' | 'config_invalid';
  readonly because?: string;
}

/** How a vendor answers in all situations that a credential gets into. Throttled (429) and down (500) are the same for all. */
export interface Scenario extends Played {
  readonly identity?: string;
  /** What the vendor says it granted, where the definition reads it. */
  readonly scopes?: readonly string[];
  readonly addressValues?: Readonly<Record<string, string>>;
  readonly forbidden: Told;
  /** To a call with a credential that is over. */
  readonly expired?: Told;
  /** To an exchange with one. */
  readonly expiredExchange?: Told;
  /** Other ways to say: too many requests. */
  readonly limited?: readonly PlayedReply[];
}

export type Scenarios = Readonly<Record<string, Scenario>>;

export function reply(status: number, body?: unknown, headers?: Record<string, string>): PlayedReply {
  return { status, body, headers };
}

export function forbidden(status: number, body: unknown): Told {
  return { reply: reply(status, body), as: 'insufficient_permissions' };
}

export function expired(status: number, body: unknown): Told {
  return { reply: reply(status, body), as: 'expired' };
}

/** The vendor says the same of two things. */
export function untold(because: string, { status, body }: PlayedReply, as: Told['as'] = 'auth_failed'): Told {
  return { reply: reply(status, body), as, because };
}

/** The reply of a token endpoint (RFC 6749, section 5.1). */
export function tokenReply(more: object = {}): (accessToken: string) => object {
  return (access_token) => ({ token_type: 'bearer', access_token, expires_in: 3_600, ...more });
}

export const invalidGrant: PlayedReply = reply(400, {
  error: 'invalid_grant',
  error_description: 'The token is not valid.',
});

export const refreshIsOver: Told = { reply: invalidGrant, as: 'expired' };
