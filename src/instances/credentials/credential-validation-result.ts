import { Field } from 'type-graphql';
import { ValidationErrorCode } from '../../catalog/model/credential-verification.js';
import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';
import { DateTime, JsonObject } from '../../kernel/entities/scalars.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { ValidationStatus } from '../../sources/responses/test-outcome.js';
import type { CredentialValidation } from '../credential-validation.js';

@PlainObjectType('What the test of a credential found. A vendor that refuses is a result like any other.')
export class CredentialValidationResult {
  @Field(() => ValidationStatus, { description: 'What was found.' })
  status: ValidationStatus;

  @RequiredField('Whether the status is `valid`.')
  success: boolean;

  @RequiredField(
    '`identity`, `grantedScopes`, `missingScopes`, `httpStatus` and `remediation`, where known.',
    () => JsonObject,
  )
  details: Record<string, unknown>;

  @OptionalField('Why it did not pass.', () => ValidationErrorCode)
  errorCode?: ValidationErrorCode | null | undefined;

  @RequiredField('The same in a sentence.')
  message: string;

  @RequiredField('When.', () => DateTime)
  validatedAt: Date;
}

export function validationResultOf(validation: Lean<CredentialValidation>): object {
  const { status, details, errorCode, message, validatedAt } = validation;
  return { status, success: status === 'valid', details, errorCode, message, validatedAt };
}
