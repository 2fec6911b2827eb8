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

/** `hadSession` is true if the source has issued a token for this credential before. */
export function classifyExchangeError(
  { status: httpStatus, body, oauthError, retryAfter, isHtml }: ExchangeErrorDetails,
  { failures }: CredentialVerification,
  { hadSession }: { hadSession: boolean },
): TestOutcome {
  const transient = transientClassificationOf(httpStatus);
  if (transient) return testOutcomeOf(transient, { httpStatus, retryAfter: parseRetryAfter(retryAfter, Date.now()) });
  const expired = hadSession && oauthError === 'invalid_grant';
  const byOAuthError = expired ? 'expired' : oauthError && BY_OAUTH_ERROR[oauthError];
  // A rule without an expression describes responses of the API, not of the token endpoint. It therefore applies only
  // if the OAuth error has no classification.
  const rulesWithExpression = failures?.filter(({ when }) => when != null);
  const classification =
    matchFailureRule(rulesWithExpression, httpStatus, body) ??
    byOAuthError ??
    matchFailureRule(failures, httpStatus, body) ??
    (isHtml && httpStatus < 300 ? 'html_page' : defaultClassificationOf(failures, httpStatus));
  return testOutcomeOf(classification, { httpStatus });
}
