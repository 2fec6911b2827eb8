import { Int } from 'type-graphql';
import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';
import { JsonObject } from '../../kernel/entities/scalars.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';

export const ValidationErrorCode = wireEnum('ValidationErrorCode', 'Reason why a credential test failed.', {
  auth_failed: 'The vendor rejects the credential.',
  internal_error: 'The source or the service failed with an internal error during the test.',
  insufficient_permissions: 'The credential lacks permissions that the connector needs.',
  expired: 'The credential has expired or was revoked.',
  config_invalid: 'The configuration is wrong. For example, it names an account that does not exist.',
});
export type ValidationErrorCode = keyof typeof ValidationErrorCode;

@PlainObjectType('A rule that maps a response of the vendor to an error code. The first matching rule applies.')
export class VerificationFailure {
  @OptionalField('HTTP status that the rule matches. Matches any status by default.', () => Int)
  status?: number;

  @OptionalField(
    'JMESPath expression on the response body. The rule matches unless the result is null, false or empty.',
  )
  when?: string;

  @RequiredField('Error code of the test.', () => ValidationErrorCode)
  errorCode: ValidationErrorCode;
}

@PlainObjectType(
  'The request that tests a credential of an authentication strategy. Network errors and the statuses 408, 429 and 5xx make the test inconclusive.',
)
export class CredentialVerification {
  @OptionalField('Whether the test only obtains a token and sends no further request.')
  tokenExchangeOnly?: boolean;

  @OptionalField('HTTP method. Defaults to GET.')
  method?: string;

  @OptionalField(
    'Path below the base URL, or an absolute URL. May contain variables in braces. Without this setting, the test sends the request of the first root tap.',
  )
  url?: string;

  @OptionalField('Headers, in addition to the headers of the strategy.', () => JsonObject)
  headers?: Record<string, unknown>;

  @OptionalField('JSON body, for methods with a body.', () => JsonObject)
  body?: Record<string, unknown>;

  @OptionalField('HTTP statuses of a successful test. Defaults to `[200]`.', () => [Int])
  acceptedStatuses?: number[];

  @OptionalField('Rules that determine the error code of a failed test. The first matching rule applies.', () => [
    VerificationFailure,
  ])
  failures?: VerificationFailure[];

  @OptionalField('JMESPath to the account name in the response.')
  identityPath?: string;

  @OptionalField('JMESPath to the granted scopes: a list, or a string with `scopeSeparator` between the scopes.')
  grantedScopesPath?: string;

  @OptionalField('Response header with the granted scopes.')
  grantedScopesHeader?: string;

  @OptionalField('Separator of scopes in a string. Defaults to a space.')
  scopeSeparator?: string;
}
