import type { ValidationErrorCode, VerificationFailure } from '../../catalog/model/credential-verification.js';
import { matchFailureRule } from '../../sources/responses/classify-response.js';
import type { FailureKind } from './failure-table.js';

/** Omits `internal_error`, which makes a test inconclusive. */
const BY_ERROR_CODE: Readonly<Partial<Record<ValidationErrorCode, FailureKind>>> = {
  auth_failed: 'credential_rejected',
  expired: 'credential_rejected',
  insufficient_permissions: 'forbidden',
  config_invalid: 'config_invalid',
};

type Failures = readonly VerificationFailure[] | null | undefined;

/**
 * Ignores rules with only a status, because 404 and 400 have other meanings for the test request and the token
 * endpoint.
 */
export function failureByVerification(failures: Failures, status: number, body: unknown): FailureKind | undefined {
  const rules = failures?.filter(({ when }) => when != null);
  const code = matchFailureRule(rules, status, body) as ValidationErrorCode | undefined;
  return code && BY_ERROR_CODE[code];
}

/**
 * Returns whether a rule with an expression exists for the status. For example, GitHub's 403 is a rate limit if no rule
 * matches.
 */
export function isDistinguished(failures: Failures, status: number): boolean {
  return Boolean(failures?.some((rule) => rule.status === status && rule.when != null));
}
