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

/** What a reply is judged by. */
export interface ClassificationCriteria {
  readonly verification: CredentialVerification;
  /** Origin that was asked. */
  readonly origin: string;
  readonly requestedScopes?: readonly string[];
  /** What the token endpoint said it granted, for vendors that do not say it again. */
  readonly sessionScopes?: readonly string[];
  /** Header of the connector that says when a limit is lifted. */
  readonly resetHeader?: string;
  /** Texts that must not be shown. */
  readonly secrets?: readonly string[];
  /** Milliseconds since 1970. */
  readonly now?: number;
}

const BY_STATUS: Readonly<Record<number, Classification>> = {
  401: 'auth_failed',
  403: 'insufficient_permissions',
  404: 'config_invalid',
};

/** What a reply says about the credential that it was asked for with. */
export function classifyResponse(reply: OutboundReply, question: ClassificationCriteria): TestOutcome {
  const { verification, now = Date.now() } = question;
  const { status: httpStatus } = reply;
  const body = parseJsonResponse(reply);
  const trouble = transientClassificationOf(httpStatus);
  // Where a whole server is in trouble, its limits have no part in it.
  const limit =
    httpStatus === 408 || httpStatus >= 500 ? undefined : reply.headers.get(question.resetHeader ?? 'retry-after');
  const retryAfter = parseRetryAfter(reply.headers.get('retry-after') ?? limit, now);
  if (trouble) return testOutcomeOf(trouble, { httpStatus, retryAfter });
  // Another origin was not shown the credential, so its refusal says as little as its consent.
  if (URL.parse(reply.url)?.origin !== question.origin) return testOutcomeOf('elsewhere', { httpStatus });

  const accepted = (verification.acceptedStatuses ?? [200]).includes(httpStatus);
  const verdict = matchFailureRule(verification.failures, httpStatus, body) ?? (accepted ? 'accepted' : undefined);
  if (!verdict)
    return testOutcomeOf(defaultClassificationOf(verification.failures, httpStatus), { httpStatus, retryAfter });
  if (verdict !== 'accepted') return testOutcomeOf(verdict, { httpStatus });
  if (isHtmlResponse(reply)) return testOutcomeOf('page', { httpStatus });
  if (body === undefined && requiresJsonBody(verification, httpStatus))
    return testOutcomeOf('unreadable', { httpStatus });
  return testOutcomeOf('accepted', { httpStatus, ...acceptedDetailsOf({ headers: reply.headers, body }, question) });
}

/** The first rule that fits. One with an expression fits no body that is not JSON, which is `undefined` here. */
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

/** What a status means by itself, unless a rule says that it has several meanings: a 403 may be a rate limit. */
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
