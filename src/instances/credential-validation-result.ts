import { Field } from 'type-graphql';
import { ValidationErrorCode } from '../catalog/credential-verification.js';
import { Optional, Required, Shape } from '../kernel/columns.js';
import type { Lean } from '../kernel/reading.js';
import { DateTime, JsonObject } from '../kernel/scalars.js';
import { ValidationStatus } from '../sources/finding.js';
import type { CredentialValidation } from './credential-validation.js';

@Shape('What the test of a credential found. A vendor that refuses is a result like any other.')
export class CredentialValidationResult {
  @Field(() => ValidationStatus, { description: 'What was found.' })
  status: ValidationStatus;

  @Required('Whether the status is `valid`.')
  success: boolean;

  @Required(
    '`identity`, `grantedScopes`, `missingScopes`, `httpStatus` and `remediation`, where known.',
    () => JsonObject,
  )
  details: Record<string, unknown>;

  @Optional('Why it did not pass.', () => ValidationErrorCode)
  errorCode?: ValidationErrorCode | null | undefined;

  @Required('The same in a sentence.')
  message: string;

  @Required('When.', () => DateTime)
  validatedAt: Date;
}

export function resultOf(validation: Lean<CredentialValidation>): object {
  const { status, details, errorCode, message, validatedAt } = validation;
  return { status, success: status === 'valid', details, errorCode, message, validatedAt };
}
