import type { ValidationErrorCode } from '../../catalog/model/credential-verification.js';
import type { OutboundFailure } from '../../kernel/outbound/outbound-error.js';
import type { TestOutcome, ValidationStatus } from './test-outcome.js';

type Meaning = readonly [status: ValidationStatus, errorCode: ValidationErrorCode | undefined, message: string];

/** Messages never contain text of the vendor. */
const OUTCOMES = {
  accepted: ['valid', undefined, 'The source accepts the credential.'],
  auth_failed: ['invalid', 'auth_failed', 'The source rejects the credential.'],
  insufficient_permissions: [
    'invalid',
    'insufficient_permissions',
    'The source accepts the credential, but the credential lacks permissions that the connector needs.',
  ],
  expired: ['expired', 'expired', 'The credential has expired or was revoked.'],
  config_invalid: [
    'invalid',
    'config_invalid',
    'The configuration names an account or object that does not exist at the source.',
  ],
  unusable_config: ['invalid', 'config_invalid', 'The configuration is invalid.'],
  sign_in_needed: ['manual_validation_required', undefined, 'Sign in with the vendor first.'],
  // An internal error of the source proves nothing about the credential.
  internal_error: ['inconclusive', 'internal_error', 'The source returned an internal error.'],
  throttled: ['inconclusive', undefined, 'The source is rate limiting requests.'],
  unavailable: ['inconclusive', undefined, 'The source is temporarily unavailable.'],
  unreachable: ['inconclusive', undefined, 'The source cannot be reached.'],
  timeout: ['inconclusive', undefined, 'The source did not respond in time.'],
  oversized: ['inconclusive', undefined, 'The response of the source exceeds the size limit of a test.'],
  redirected: [
    'inconclusive',
    undefined,
    'The source redirected the test to another host. The service does not send the credential to another host. Check the base URL and the address fields of the connection.',
  ],
  html_page: [
    'inconclusive',
    undefined,
    'The source returned an HTML page, such as a sign-in page, instead of data. Check the base URL and the address fields of the connection. Also check whether a proxy intercepts the requests to the source.',
  ],
  unreadable: ['inconclusive', undefined, 'The response of the source is not valid JSON.'],
  unclear: ['inconclusive', undefined, 'The test could not determine whether the credential is valid.'],
  test_failed: ['inconclusive', 'internal_error', 'The test failed with an internal error.'],
} as const satisfies Record<string, Meaning> & Record<ValidationErrorCode, Meaning>;

export type Classification = keyof typeof OUTCOMES;

/**
 * A test must not reveal to a caller which hosts and ports exist in the operator's network. A closed port, a forbidden
 * address, an unknown host name and a server that does not use HTTP therefore have the same outcome.
 */
const BY_OUTBOUND_FAILURE = {
  url_not_allowed: 'unreachable',
  address_not_allowed: 'unreachable',
  unreachable: 'unreachable',
  broken_reply: 'unreachable',
  too_many_redirects: 'unreachable',
  redirect_not_allowed: 'unreachable',
  timeout: 'timeout',
  reply_too_large: 'oversized',
  // The service validates the customer's values earlier, so only the definition can cause this failure.
  request_not_allowed: 'test_failed',
  closed: 'test_failed',
} as const satisfies Record<OutboundFailure, Classification>;

export type OutboundClassification = (typeof BY_OUTBOUND_FAILURE)[OutboundFailure];

export function testOutcomeOf(
  classification: Classification,
  details: Omit<TestOutcome, 'status' | 'errorCode' | 'message'> = {},
): TestOutcome {
  const [status, errorCode, message] = OUTCOMES[classification];
  const known = Object.entries(details).filter(([, value]) => value !== undefined);
  return { status, ...(errorCode && { errorCode }), message, ...Object.fromEntries(known) };
}

/** Returns the classification of a status that never counts against a credential, even if a rule matches the status. */
export function transientClassificationOf(status: number): Classification | undefined {
  if (status === 429) return 'throttled';
  return status === 408 || status >= 500 ? 'unavailable' : undefined;
}

/** A request without a response never counts against the credential. */
export function classifyOutboundFailure(reason: OutboundFailure): OutboundClassification {
  return BY_OUTBOUND_FAILURE[reason];
}
