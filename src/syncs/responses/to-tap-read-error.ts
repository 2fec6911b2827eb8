import type { CredentialVerification } from '../../catalog/model/credential-verification.js';
import { JmesPathError } from '../../kernel/formats/jmespath.js';
import { OutboundError } from '../../kernel/outbound/outbound-error.js';
import { ConnectionConfigError } from '../../sources/connection-config-error.js';
import { classifyOutboundFailure, type OutboundClassification } from '../../sources/responses/classification.js';
import { classifyExchangeError } from '../../sources/responses/classify-exchange-error.js';
import { parseRetryAfter } from '../../sources/responses/retry-after.js';
import type { TestOutcome } from '../../sources/responses/test-outcome.js';
import { TokenExchangeError } from '../../sources/responses/token-exchange-error.js';
import { SignInRequiredError } from '../../sources/sessions/sign-with-session.js';
import { ForeignAddressError } from '../../sources/source-address.js';
import { TapReadError } from '../tap-read-error.js';
import { type FailureKind, failureOf } from './failure-table.js';

/** These kinds are coarse, because errors must not reveal which hosts and ports exist in the operator's network. */
const BY_OUTBOUND_CLASSIFICATION: Record<OutboundClassification, FailureKind> = {
  unreachable: 'unreachable',
  timeout: 'timeout',
  oversized: 'oversized',
  test_failed: 'invalid_definition',
};

/**
 * All taps share the token, so a failed token exchange stops all taps of the connection, unless a retry may succeed.
 */
const BY_EXCHANGE_CODE: Record<NonNullable<TestOutcome['errorCode']>, FailureKind> = {
  auth_failed: 'credential_rejected',
  expired: 'credential_rejected',
  insufficient_permissions: 'client_forbidden',
  config_invalid: 'token_config_invalid',
  internal_error: 'unavailable',
};

interface ErrorFacts {
  /** The rules for credential tests also classify a rejected token exchange. */
  readonly verification?: CredentialVerification | null | undefined;
  readonly now?: number | undefined;
}

/** An unknown error becomes the `cause` of an internal error. */
export function toTapReadError(error: unknown, { verification, now = Date.now() }: ErrorFacts = {}): TapReadError {
  if (error instanceof TapReadError) return error;
  if (error instanceof OutboundError) return failureOf(kindOfOutboundFailure(error), { cause: error });
  if (error instanceof TokenExchangeError) return exchangeFailure(error, verification ?? {}, now);
  if (error instanceof SignInRequiredError) return failureOf('sign_in_required');
  // The message contains the name of a field, but no value.
  if (error instanceof ConnectionConfigError) return failureOf('config_invalid', { message: error.message });
  if (error instanceof ForeignAddressError) return failureOf('foreign_address');
  // The message quotes only the expression of the definition.
  if (error instanceof JmesPathError)
    return failureOf('invalid_definition', { message: `An expression of the tap is invalid: ${error.message}.` });
  return failureOf('internal', { cause: error });
}

function kindOfOutboundFailure({ reason }: OutboundError): FailureKind {
  return reason === 'closed' ? 'stopping' : BY_OUTBOUND_CLASSIFICATION[classifyOutboundFailure(reason)];
}

function exchangeFailure(error: TokenExchangeError, verification: CredentialVerification, now: number): TapReadError {
  const { status, isHtml } = error;
  const retryAfterMs = parseRetryAfter(error.retryAfter, now);
  if (status === 429) return failureOf('rate_limited', { status, retryAfterMs });
  if (status === 408 || status >= 500) return failureOf('unavailable', { status, retryAfterMs });
  const { errorCode } = classifyExchangeError(error, verification, { hadSession: false });
  if (errorCode) return failureOf(BY_EXCHANGE_CODE[errorCode], { status });
  return failureOf(isHtml && status < 300 ? 'html_page' : 'credential_rejected', { status });
}
