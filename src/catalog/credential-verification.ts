import { Int } from 'type-graphql';
import { Optional, Required, Shape } from '../kernel/columns.js';
import { JsonObject } from '../kernel/scalars.js';
import { wireEnum } from '../kernel/wire-enum.js';

export const ValidationErrorCode = wireEnum('ValidationErrorCode', 'Why a credential did not pass.', {
  auth_failed: 'The vendor refuses the credential.',
  internal_error: 'The check itself failed.',
  insufficient_permissions: 'The credential is accepted but may not do what the connector needs.',
  expired: 'The credential was good once and is no longer.',
  config_invalid: 'The configuration names something that does not exist.',
});
export type ValidationErrorCode = keyof typeof ValidationErrorCode;

@Shape('One answer of the vendor that means the credential does not pass. The first rule that fits wins.')
export class VerificationFailure {
  @Optional('HTTP status that the rule is about; any where left out.', () => Int)
  status?: number;

  @Optional('JMESPath over the reply body that must give something true.')
  when?: string;

  @Required('What it means.', () => ValidationErrorCode)
  errorCode: ValidationErrorCode;
}

@Shape(
  'The call that tells whether a credential of this strategy works. Network trouble, 408, 429 and 5xx never count against it.',
)
export class CredentialVerification {
  @Optional('True where obtaining a token is the whole check and no further call is made.')
  tokenExchangeOnly?: boolean;

  @Optional('HTTP method; GET by default.')
  method?: string;

  @Optional('Path below the base address, or a whole https address; may hold address variables.')
  url?: string;

  @Optional('Headers beside those of the strategy.', () => JsonObject)
  headers?: Record<string, unknown>;

  @Optional('JSON body, for vendors that check over POST.', () => JsonObject)
  body?: Record<string, unknown>;

  @Optional('Statuses that mean success; 200 by default.', () => [Int])
  acceptedStatuses?: number[];

  @Optional('What refusals mean, in order.', () => [VerificationFailure])
  failures?: VerificationFailure[];

  @Optional('JMESPath to the name of the account in the reply.')
  identityPath?: string;

  @Optional('JMESPath to the granted scopes: a list, or one text.')
  grantedScopesPath?: string;

  @Optional('Response header with the granted scopes.')
  grantedScopesHeader?: string;

  @Optional('What separates scopes in one text; a space by default.')
  scopeSeparator?: string;
}
