import { Field } from 'type-graphql';
import { ValidationErrorCode } from '../../catalog/model/credential-verification.js';
import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';
import { DateTime, JsonObject } from '../../kernel/entities/scalars.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { ValidationStatus } from '../../sources/responses/test-outcome.js';
import { type CredentialValidation, DETAILS_DESCRIPTION, ERROR_CODE_DESCRIPTION } from '../credential-validation.js';

@PlainObjectType(
  'Result of a credential test. If the source rejects the credential, the test returns a result and no error.',
)
export class CredentialValidationResult {
  @Field(() => ValidationStatus, { description: 'Result of the test.' })
  status: ValidationStatus;

  @RequiredField('Whether the status is `valid`.')
  success: boolean;

  @RequiredField(DETAILS_DESCRIPTION, () => JsonObject)
  details: Record<string, unknown>;

  @OptionalField(ERROR_CODE_DESCRIPTION, () => ValidationErrorCode)
  errorCode?: ValidationErrorCode | null | undefined;

  @RequiredField('Description of the result, in English.')
  message: string;

  @RequiredField('Time of the test.', () => DateTime)
  validatedAt: Date;
}

export function validationResultOf(validation: Lean<CredentialValidation>): object {
  const { status, details, errorCode, message, validatedAt } = validation;
  return { status, success: status === 'valid', details, errorCode, message, validatedAt };
}
