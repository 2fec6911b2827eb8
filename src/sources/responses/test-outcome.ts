import type { ValidationErrorCode } from '../../catalog/model/credential-verification.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';

export const ValidationStatus = wireEnum('ValidationStatus', 'What a test of a credential found.', {
  valid: 'The source accepts it.',
  invalid: 'The source refuses it, or the configuration is wrong.',
  expired: 'It was good once and is no longer.',
  inconclusive: 'The source gave no answer to go by; what was known before still holds.',
  manual_validation_required: 'Somebody has to sign in with the vendor first, or a first delivery has to come.',
});
export type ValidationStatus = keyof typeof ValidationStatus;

/** What a test of a credential found. Nothing in it is a secret, and `message` holds no word of the vendor's. */
export interface TestOutcome {
  readonly status: ValidationStatus;
  readonly errorCode?: ValidationErrorCode;
  /** One sentence for people. */
  readonly message: string;
  /** Name of the account at the source. */
  readonly identity?: string;
  readonly grantedScopes?: readonly string[];
  /** Scopes that the strategy asks for and the source did not grant, where that is known. */
  readonly missingScopes?: readonly string[];
  /** Status of the reply that decided. */
  readonly httpStatus?: number;
  /** When the credential itself ends, in milliseconds since 1970: a token that nothing can renew. */
  readonly expiresAt?: number;
  /** Milliseconds after which the source wants to be asked again, where it said so. */
  readonly retryAfter?: number;
}
