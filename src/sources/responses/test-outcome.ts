import type { ValidationErrorCode } from '../../catalog/model/credential-verification.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';

export const ValidationStatus = wireEnum('ValidationStatus', 'Result of a credential test.', {
  valid: 'The source accepts the credential.',
  invalid: 'The source rejects the credential, the credential lacks permissions, or the configuration is wrong.',
  expired: 'The credential has expired or was revoked.',
  inconclusive:
    'The test did not determine whether the source accepts the credential, for example because the source was unreachable. The previous status remains.',
  manual_validation_required:
    'Action required: sign in with the vendor, enter the credentials again, or trigger the first delivery.',
});
export type ValidationStatus = keyof typeof ValidationStatus;

/** Contains no secrets, and `message` contains no text of the vendor. */
export interface TestOutcome {
  readonly status: ValidationStatus;
  readonly errorCode?: ValidationErrorCode;
  readonly message: string;
  /** Name of the account at the source. */
  readonly identity?: string;
  readonly grantedScopes?: readonly string[];
  /** Requested scopes that the source did not grant. Undefined if the source returned no scopes. */
  readonly missingScopes?: readonly string[];
  /** Status of the response that determined the result. */
  readonly httpStatus?: number;
  /** Expiry of a credential that the service cannot renew, in milliseconds since 1970. */
  readonly expiresAt?: number;
  /** Milliseconds until the next allowed request. Undefined if the source did not return a time. */
  readonly retryAfter?: number;
}
