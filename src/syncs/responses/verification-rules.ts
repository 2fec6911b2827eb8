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
 * Ignores rules with only a status, because a 404 or 400 of a tap has another meaning than a 404 or 400 of the test
 * request or the token endpoint.
 */
export function failureByVerification(failures: Failures, status: number, body: unknown): FailureKind | undefined {
  const rules = failures?.filter(({ when }) => when != null);
  const code = matchFailureRule(rules, status, body) as ValidationErrorCode | undefined;
  return code && BY_ERROR_CODE[code];
}

/**
 * Returns whether a rule distinguishes responses with this status by an expression. If so, a 403 that matches no rule
 * is a rate limit, for example at GitHub.
 */
export function isDistinguished(failures: Failures, status: number): boolean {
  return Boolean(failures?.some((rule) => rule.status === status && rule.when != null));
}
