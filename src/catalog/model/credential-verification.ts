import { Int } from 'type-graphql';
import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';
import { JsonObject } from '../../kernel/entities/scalars.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';

export const ValidationErrorCode = wireEnum('ValidationErrorCode', 'Why a credential did not pass.', {
  auth_failed: 'The vendor refuses the credential.',
  internal_error: 'The check itself failed.',
  insufficient_permissions: 'The credential is accepted but may not do what the connector needs.',
  expired: 'The credential was good once and is no longer.',
  config_invalid: 'The configuration names something that does not exist.',
});
export type ValidationErrorCode = keyof typeof ValidationErrorCode;

@PlainObjectType('One answer of the vendor that means the credential does not pass. The first rule that fits wins.')
export class VerificationFailure {
  @OptionalField('HTTP status that the rule is about; any where left out.', () => Int)
  status?: number;

  @OptionalField('JMESPath over the reply body that must give something true.')
  when?: string;

  @RequiredField('What it means.', () => ValidationErrorCode)
  errorCode: ValidationErrorCode;
}

@PlainObjectType(
  'The call that tells whether a credential of this strategy works. Network trouble, 408, 429 and 5xx never count against it.',
)
export class CredentialVerification {
  @OptionalField('True where obtaining a token is the whole check and no further call is made.')
  tokenExchangeOnly?: boolean;

  @OptionalField('HTTP method; GET by default.')
  method?: string;

  @OptionalField('Path below the base address, or a whole https address; may hold address variables.')
  url?: string;

  @OptionalField('Headers beside those of the strategy.', () => JsonObject)
  headers?: Record<string, unknown>;

  @OptionalField('JSON body, for vendors that check over POST.', () => JsonObject)
  body?: Record<string, unknown>;

  @OptionalField('Statuses that mean success; 200 by default.', () => [Int])
  acceptedStatuses?: number[];

  @OptionalField('What refusals mean, in order.', () => [VerificationFailure])
  failures?: VerificationFailure[];

  @OptionalField('JMESPath to the name of the account in the reply.')
  identityPath?: string;

  @OptionalField('JMESPath to the granted scopes: a list, or one text.')
  grantedScopesPath?: string;

  @OptionalField('Response header with the granted scopes.')
  grantedScopesHeader?: string;

  @OptionalField('What separates scopes in one text; a space by default.')
  scopeSeparator?: string;
}
