import type { CredentialVerification, VerificationFailure } from '../../catalog/model/credential-verification.js';
import { evaluateJmesPath, matchesJmesPath } from '../../kernel/formats/jmespath.js';
import type { OutboundReply } from '../../kernel/outbound/outbound-client.js';
import { parseJsonResponse } from '../../kernel/outbound/read-response.js';
import { type Classification, testOutcomeOf, transientClassificationOf } from './classification.js';
import { displayTextOf } from './display-text.js';
import { parseScopes, scopeDetailsOf } from './granted-scopes.js';
import { isHtmlResponse } from './is-html-response.js';
import { parseRetryAfter } from './retry-after.js';
import type { TestOutcome } from './test-outcome.js';

export interface ClassificationCriteria {
  readonly verification: CredentialVerification;
  /** Origin to which the credential was sent. */
  readonly origin: string;
  readonly requestedScopes?: readonly string[];
  /** Scopes that the token endpoint returned, for vendors whose API does not return scopes. */
  readonly sessionScopes?: readonly string[];
  /** Name of the response header with the time at which the rate limit resets. */
  readonly resetHeader?: string;
  /** Strings that the outcome must not contain. */
  readonly secrets?: readonly string[];
  /** Milliseconds since 1970. Defaults to the current time. */
  readonly now?: number;
}

const BY_STATUS: Readonly<Record<number, Classification>> = {
  401: 'auth_failed',
  403: 'insufficient_permissions',
  404: 'config_invalid',
};

export function classifyResponse(reply: OutboundReply, criteria: ClassificationCriteria): TestOutcome {
  const { verification, now = Date.now() } = criteria;
  const { status: httpStatus } = reply;
  const body = parseJsonResponse(reply);
  const transient = transientClassificationOf(httpStatus);
  // A timeout or server error is unrelated to the rate limit, so the reset header does not apply.
  const limit =
    httpStatus === 408 || httpStatus >= 500 ? undefined : reply.headers.get(criteria.resetHeader ?? 'retry-after');
  const retryAfter = parseRetryAfter(reply.headers.get('retry-after') ?? limit, now);
  if (transient) return testOutcomeOf(transient, { httpStatus, retryAfter });
  // Another origin did not receive the credential, so its response proves nothing.
  if (URL.parse(reply.url)?.origin !== criteria.origin) return testOutcomeOf('redirected', { httpStatus });

  const accepted = (verification.acceptedStatuses ?? [200]).includes(httpStatus);
  const classification =
    matchFailureRule(verification.failures, httpStatus, body) ?? (accepted ? 'accepted' : undefined);
  if (!classification)
    return testOutcomeOf(defaultClassificationOf(verification.failures, httpStatus), { httpStatus, retryAfter });
  if (classification !== 'accepted') return testOutcomeOf(classification, { httpStatus });
  if (isHtmlResponse(reply)) return testOutcomeOf('html_page', { httpStatus });
  if (body === undefined && requiresJsonBody(verification, httpStatus))
    return testOutcomeOf('unreadable', { httpStatus });
  return testOutcomeOf('accepted', { httpStatus, ...acceptedDetailsOf({ headers: reply.headers, body }, criteria) });
}

/** A rule with an expression never matches a body that is not JSON (`undefined`). */
export function matchFailureRule(
  failures: readonly VerificationFailure[] | null | undefined,
  status: number,
  body: unknown,
): Classification | undefined {
  return failures?.find((rule) => {
    if ((rule.status ?? status) !== status) return false;
    return rule.when == null || (body !== undefined && matchesJmesPath(rule.when, body));
  })?.errorCode;
}

/**
 * For a status that no rule matches. Returns `unclear` if a rule distinguishes responses with this status by an
 * expression. For example, a 403 may then be a rate limit.
 */
export function defaultClassificationOf(
  failures: readonly VerificationFailure[] | null | undefined,
  status: number,
): Classification {
  const ambiguous = failures?.some((rule) => rule.status === status);
  return (!ambiguous && BY_STATUS[status]) || 'unclear';
}

function requiresJsonBody(
  { identityPath, grantedScopesPath, failures }: CredentialVerification,
  status: number,
): boolean {
  const read = failures?.some((rule) => rule.when != null && (rule.status ?? status) === status);
  return Boolean(identityPath || grantedScopesPath || read);
}

function acceptedDetailsOf(
  { headers, body }: { headers: Headers; body: unknown },
  { verification, requestedScopes = [], sessionScopes, secrets = [] }: ClassificationCriteria,
): Pick<TestOutcome, 'identity' | 'grantedScopes' | 'missingScopes'> {
  const { identityPath, grantedScopesPath, grantedScopesHeader, scopeSeparator } = verification;
  const inHeader = grantedScopesHeader ? headers.get(grantedScopesHeader) : undefined;
  const listed = grantedScopesPath ? evaluateJmesPath(grantedScopesPath, body) : inHeader;
  const granted = parseScopes(listed, scopeSeparator ?? undefined) ?? sessionScopes;
  return {
    identity: identityPath ? displayTextOf(evaluateJmesPath(identityPath, body), secrets) : undefined,
    ...scopeDetailsOf(granted, { requested: requestedScopes, secrets }),
  };
}
