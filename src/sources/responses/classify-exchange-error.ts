import type { CredentialVerification } from '../../catalog/model/credential-verification.js';
import { type Classification, testOutcomeOf, transientClassificationOf } from './classification.js';
import { defaultClassificationOf, matchFailureRule } from './classify-response.js';
import { parseRetryAfter } from './retry-after.js';
import type { TestOutcome } from './test-outcome.js';
import type { OAuthErrorCode, TokenExchangeError } from './token-exchange-error.js';

export type ExchangeErrorDetails = Pick<TokenExchangeError, 'status' | 'oauthError' | 'retryAfter'> & {
  readonly body?: unknown;
  readonly isHtml?: boolean;
};

const BY_OAUTH_ERROR: Readonly<Record<OAuthErrorCode, Classification>> = {
  invalid_client: 'auth_failed',
  invalid_grant: 'auth_failed',
  unauthorized_client: 'insufficient_permissions',
  invalid_scope: 'insufficient_permissions',
  invalid_request: 'config_invalid',
  unsupported_grant_type: 'config_invalid',
};

/** What a refused exchange says. `hadSession`: the source gave a token for this credential before. */
export function classifyExchangeError(
  { status: httpStatus, body, oauthError, retryAfter, isHtml: isPage }: ExchangeErrorDetails,
  { failures }: CredentialVerification,
  { hadSession }: { hadSession: boolean },
): TestOutcome {
  const trouble = transientClassificationOf(httpStatus);
  if (trouble) return testOutcomeOf(trouble, { httpStatus, retryAfter: parseRetryAfter(retryAfter, Date.now()) });
  const ended = hadSession && oauthError === 'invalid_grant';
  const known = ended ? 'expired' : oauthError && BY_OAUTH_ERROR[oauthError];
  // A rule about a status alone was written for the API, where a 403 is no dead refresh token.
  const exact = failures?.filter(({ when }) => when != null);
  const verdict =
    matchFailureRule(exact, httpStatus, body) ??
    known ??
    matchFailureRule(failures, httpStatus, body) ??
    (isPage && httpStatus < 300 ? 'page' : defaultClassificationOf(failures, httpStatus));
  return testOutcomeOf(verdict, { httpStatus });
}
