import type { ValidationErrorCode } from '../../catalog/model/credential-verification.js';
import type { OutboundFailure } from '../../kernel/outbound/outbound-error.js';
import type { TestOutcome, ValidationStatus } from './test-outcome.js';

type Meaning = readonly [status: ValidationStatus, errorCode: ValidationErrorCode | undefined, message: string];

/** Every outcome of a test. The sentences are ours: what a vendor wrote never gets into one. */
const OUTCOMES = {
  accepted: ['valid', undefined, 'The source accepts the credential.'],
  auth_failed: ['invalid', 'auth_failed', 'The source refuses the credential.'],
  insufficient_permissions: [
    'invalid',
    'insufficient_permissions',
    'The source knows the credential, but it may not do what the connector needs.',
  ],
  expired: ['expired', 'expired', 'The credential was good once and has expired or was withdrawn.'],
  config_invalid: ['invalid', 'config_invalid', 'The source does not know what the configuration names.'],
  unusable_config: ['invalid', 'config_invalid', 'The configuration cannot be used to call the source.'],
  sign_in_needed: ['manual_validation_required', undefined, 'Somebody has to sign in with the vendor first.'],
  // An error inside of the source is no word about the credential.
  internal_error: ['inconclusive', 'internal_error', 'The source answered the test with an error of its own.'],
  throttled: ['inconclusive', undefined, 'The source takes no more requests at the moment.'],
  in_trouble: ['inconclusive', undefined, 'The source has trouble of its own at the moment.'],
  unreachable: ['inconclusive', undefined, 'The source cannot be reached.'],
  timeout: ['inconclusive', undefined, 'The source did not answer in time.'],
  oversized: ['inconclusive', undefined, 'The source answered with more than a test reads.'],
  elsewhere: [
    'inconclusive',
    undefined,
    'The source sent the test on to another host, where the credential was not shown.',
  ],
  page: [
    'inconclusive',
    undefined,
    'The source returned an HTML page, such as a sign-in page, instead of data. Check the base URL and the address fields of the connection, and whether a proxy intercepts its calls.',
  ],
  unreadable: ['inconclusive', undefined, 'The reply of the source is not the JSON that the connector expects.'],
  unclear: ['inconclusive', undefined, 'The answer of the source says nothing about the credential.'],
  failed_here: ['inconclusive', 'internal_error', 'The test itself failed; it will be made again.'],
} as const satisfies Record<string, Meaning> & Record<ValidationErrorCode, Meaning>;

export type Classification = keyof typeof OUTCOMES;

/**
 * Whoever may write an address must not learn from a test what stands at it: a port that is closed, an address that is not
 * allowed, a name that does not exist and a server that speaks no HTTP all look the same.
 */
const BY_OUTBOUND_FAILURE: Record<OutboundFailure, Classification> = {
  url_not_allowed: 'unreachable',
  address_not_allowed: 'unreachable',
  unreachable: 'unreachable',
  broken_reply: 'unreachable',
  too_many_redirects: 'unreachable',
  redirect_not_allowed: 'unreachable',
  timeout: 'timeout',
  reply_too_large: 'oversized',
  // Values of the customer are asked before; what is left is the definition's.
  request_not_allowed: 'failed_here',
  closed: 'failed_here',
};

export function testOutcomeOf(
  verdict: Classification,
  details: Omit<TestOutcome, 'status' | 'errorCode' | 'message'> = {},
): TestOutcome {
  const [status, errorCode, message] = OUTCOMES[verdict];
  const known = Object.entries(details).filter(([, value]) => value !== undefined);
  return { status, ...(errorCode && { errorCode }), message, ...Object.fromEntries(known) };
}

/** Statuses that never count against a credential, whatever else is said about them. */
export function transientClassificationOf(status: number): Classification | undefined {
  if (status === 429) return 'throttled';
  return status === 408 || status >= 500 ? 'in_trouble' : undefined;
}

/** What a call without a reply says, which is never anything about the credential. */
export function classifyOutboundFailure(reason: OutboundFailure): Classification {
  return BY_OUTBOUND_FAILURE[reason];
}
