import type { CredentialVerification } from '../catalog/credential-verification.js';
import type { ExchangeRefused, OAuthError } from './exchange-refused.js';
import type { Finding } from './finding.js';
import { defaultOf, failureOf } from './judge-reply.js';
import { retryAfterOf } from './retry-after.js';
import { findingOf, troubleOf, type Verdict } from './verdict.js';

export type Refusal = Pick<ExchangeRefused, 'status' | 'oauthError' | 'retryAfter'> & {
  readonly body?: unknown;
  readonly isPage?: boolean;
};

const BY_OAUTH_ERROR: Readonly<Record<OAuthError, Verdict>> = {
  invalid_client: 'auth_failed',
  invalid_grant: 'auth_failed',
  unauthorized_client: 'insufficient_permissions',
  invalid_scope: 'insufficient_permissions',
  invalid_request: 'config_invalid',
  unsupported_grant_type: 'config_invalid',
};

/** What a refused exchange says. `hadSession`: the source gave a token for this credential before. */
export function judgeExchange(
  { status: httpStatus, body, oauthError, retryAfter, isPage }: Refusal,
  { failures }: CredentialVerification,
  { hadSession }: { hadSession: boolean },
): Finding {
  const trouble = troubleOf(httpStatus);
  if (trouble) return findingOf(trouble, { httpStatus, retryAfter: retryAfterOf(retryAfter, Date.now()) });
  const ended = hadSession && oauthError === 'invalid_grant';
  const known = ended ? 'expired' : oauthError && BY_OAUTH_ERROR[oauthError];
  // A rule about a status alone was written for the API, where a 403 is no dead refresh token.
  const exact = failures?.filter(({ when }) => when != null);
  const verdict =
    failureOf(exact, httpStatus, body) ??
    known ??
    failureOf(failures, httpStatus, body) ??
    (isPage && httpStatus < 300 ? 'page' : defaultOf(failures, httpStatus));
  return findingOf(verdict, { httpStatus });
}
