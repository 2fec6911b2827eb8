import { ArgsType, Field } from 'type-graphql';
import { PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';
import { Limits } from '../../kernel/entities/field-limits.js';
import { DateTime, JsonObject } from '../../kernel/entities/scalars.js';
import { Base62Id } from '../../kernel/ids.js';
import { CredentialValidationResult } from '../credentials/credential-validation-result.js';
import { TenantConnectorInstance } from '../tenant-connector-instance.js';

type Values = Record<string, unknown>;

@ArgsType()
export class OAuthStartArgs {
  @Field(() => Base62Id, { description: 'Id of the connection.' })
  instanceId: string;

  @Field(() => Base62Id, {
    nullable: true,
    description: 'Id of the strategy to sign in with. Defaults to the current strategy.',
  })
  authenticationStrategyId?: string | null;

  @Field(() => JsonObject, {
    nullable: true,
    description:
      'Authentication config to save before the sign-in. The rules are the same as for `authenticationConfig` of `configureConnectorInstance`.',
  })
  authenticationConfig?: Values | null;

  @Field(() => String, {
    nullable: true,
    description:
      "URL to which the vendor redirects the browser. Must be on the workspace's list of redirect URIs. Defaults to a page of the service, which completes the sign-in.",
  })
  @Limits({ maxLength: 2_000 })
  redirectUri?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: "Subset of the strategy's scopes to request. Defaults to all scopes of the strategy.",
  })
  @Limits({ minItems: 1, maxItems: 100, maxLength: 500 })
  scopes?: string[] | null;
}

@PlainObjectType('A started sign-in with a vendor.')
export class OAuthStart {
  @RequiredField("URL of the vendor's sign-in page. Open it in the browser.")
  authorizeUrl: string;

  @RequiredField(
    'State parameter. The vendor returns this value. The caller who started the sign-in can complete it once with this value.',
  )
  state: string;

  @RequiredField('When the state expires: 10 minutes after the start of the sign-in.', () => DateTime)
  expiresAt: Date;
}

@ArgsType()
export class OAuthCompleteArgs {
  @Field({ description: 'State parameter returned by the vendor.' })
  @Limits({ minLength: 1, maxLength: 200 })
  state: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Authorization code: the value of the redirect parameter that `codeParam` of the strategy names. Either `code` or `error` is required.',
  })
  @Limits({ minLength: 1, maxLength: 8_192 })
  code?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Error code that the vendor returned instead of an authorization code.',
  })
  @Limits({ maxLength: 200 })
  error?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The vendor's description of the error. The service does not return this text to clients.",
  })
  @Limits({ maxLength: 4_000 })
  errorDescription?: string | null;

  @Field(() => JsonObject, {
    nullable: true,
    description: 'All other parameters that the vendor returned, such as `iss`.',
  })
  params?: Values | null;
}

@PlainObjectType('A completed sign-in.')
export class OAuthCompletion {
  @RequiredField('Connection that the sign-in belongs to.', () => TenantConnectorInstance)
  instance: TenantConnectorInstance;

  @RequiredField('Id of the new credential record.', () => Base62Id)
  credentialMetadataId: string;

  @RequiredField(
    'Scopes that the vendor granted. If the vendor does not report them, the list contains the requested scopes (RFC 6749, section 5.1).',
    () => [String],
  )
  grantedScopes: string[];

  @RequiredField('Requested scopes that the vendor did not grant.', () => [String])
  missingScopes: string[];

  @RequiredField('Result of the test of the new credential.', () => CredentialValidationResult)
  validation: CredentialValidationResult;
}
