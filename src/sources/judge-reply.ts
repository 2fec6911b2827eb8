import type { CredentialVerification, VerificationFailure } from '../catalog/credential-verification.js';
import { holds, search } from '../kernel/json-path.js';
import type { OutboundReply } from '../kernel/outbound.js';
import { jsonOf } from '../kernel/outbound-reply.js';
import type { Finding } from './finding.js';
import { scopeDetails, scopesOf } from './granted-scopes.js';
import { isPage } from './is-page.js';
import { retryAfterOf } from './retry-after.js';
import { shownText } from './shown-text.js';
import { findingOf, troubleOf, type Verdict } from './verdict.js';

/** What a reply is judged by. */
export interface Question {
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

const BY_STATUS: Readonly<Record<number, Verdict>> = {
  401: 'auth_failed',
  403: 'insufficient_permissions',
  404: 'config_invalid',
};

/** What a reply says about the credential that it was asked for with. */
export function judgeReply(reply: OutboundReply, question: Question): Finding {
  const { verification, now = Date.now() } = question;
  const { status: httpStatus } = reply;
  const body = jsonOf(reply);
  const trouble = troubleOf(httpStatus);
  // Where a whole server is in trouble, its limits have no part in it.
  const limit =
    httpStatus === 408 || httpStatus >= 500 ? undefined : reply.headers.get(question.resetHeader ?? 'retry-after');
  const retryAfter = retryAfterOf(reply.headers.get('retry-after') ?? limit, now);
  if (trouble) return findingOf(trouble, { httpStatus, retryAfter });
  // Another origin was not shown the credential, so its refusal says as little as its consent.
  if (URL.parse(reply.url)?.origin !== question.origin) return findingOf('elsewhere', { httpStatus });

  const accepted = (verification.acceptedStatuses ?? [200]).includes(httpStatus);
  const verdict = failureOf(verification.failures, httpStatus, body) ?? (accepted ? 'accepted' : undefined);
  if (!verdict) return findingOf(defaultOf(verification.failures, httpStatus), { httpStatus, retryAfter });
  if (verdict !== 'accepted') return findingOf(verdict, { httpStatus });
  if (isPage(reply)) return findingOf('page', { httpStatus });
  if (body === undefined && readsBody(verification, httpStatus)) return findingOf('unreadable', { httpStatus });
  return findingOf('accepted', { httpStatus, ...acceptedAs({ headers: reply.headers, body }, question) });
}

/** The first rule that fits. One with an expression fits no body that is not JSON, which is `undefined` here. */
export function failureOf(
  failures: readonly VerificationFailure[] | null | undefined,
  status: number,
  body: unknown,
): Verdict | undefined {
  return failures?.find((rule) => {
    if ((rule.status ?? status) !== status) return false;
    return rule.when == null || (body !== undefined && holds(rule.when, body));
  })?.errorCode;
}

/** What a status means by itself, unless a rule says that it has several meanings: a 403 may be a rate limit. */
export function defaultOf(failures: readonly VerificationFailure[] | null | undefined, status: number): Verdict {
  const ambiguous = failures?.some((rule) => rule.status === status);
  return (!ambiguous && BY_STATUS[status]) || 'unclear';
}

function readsBody({ identityPath, grantedScopesPath, failures }: CredentialVerification, status: number): boolean {
  const read = failures?.some((rule) => rule.when != null && (rule.status ?? status) === status);
  return Boolean(identityPath || grantedScopesPath || read);
}

function acceptedAs(
  { headers, body }: { headers: Headers; body: unknown },
  { verification, requestedScopes = [], sessionScopes, secrets = [] }: Question,
): Pick<Finding, 'identity' | 'grantedScopes' | 'missingScopes'> {
  const { identityPath, grantedScopesPath, grantedScopesHeader, scopeSeparator } = verification;
  const inHeader = grantedScopesHeader ? headers.get(grantedScopesHeader) : undefined;
  const listed = grantedScopesPath ? search(grantedScopesPath, body) : inHeader;
  const granted = scopesOf(listed, scopeSeparator ?? undefined) ?? sessionScopes;
  return {
    identity: identityPath ? shownText(search(identityPath, body), secrets) : undefined,
    ...scopeDetails(granted, { requested: requestedScopes, secrets }),
  };
}
