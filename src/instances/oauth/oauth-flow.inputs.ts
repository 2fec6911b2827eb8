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

  @Field(() => Base62Id, { nullable: true, description: 'Another strategy of the connector, to sign in by.' })
  authenticationStrategyId?: string | null;

  @Field(() => JsonObject, { nullable: true, description: 'Configures the connection first, as `configure` does.' })
  authenticationConfig?: Values | null;

  @Field(() => String, {
    nullable: true,
    description:
      "Where the vendor sends the browser: an address on the workspace's list. Where left out, a page of the service itself, which completes the sign-in.",
  })
  @Limits({ maxLength: 2_000 })
  redirectUri?: string | null;

  @Field(() => [String], { nullable: true, description: 'Fewer scopes than the strategy asks for.' })
  @Limits({ minItems: 1, maxItems: 100, maxLength: 500 })
  scopes?: string[] | null;
}

@PlainObjectType('A sign-in with a vendor that has been started.')
export class OAuthStart {
  @RequiredField('Address of the vendor that the browser goes to next.')
  authorizeUrl: string;

  @RequiredField('Comes back with the browser. Whoever started the sign-in completes it with it, once.')
  state: string;

  @RequiredField('When the state ends, 10 minutes from now.', () => DateTime)
  expiresAt: Date;
}

@ArgsType()
export class OAuthCompleteArgs {
  @Field({ description: 'The state, as it came back.' })
  @Limits({ minLength: 1, maxLength: 200 })
  state: string;

  @Field(() => String, { nullable: true, description: 'The authorization code.' })
  @Limits({ minLength: 1, maxLength: 8_192 })
  code?: string | null;

  @Field(() => String, { nullable: true, description: 'The error that came back in place of a code.' })
  @Limits({ maxLength: 200 })
  error?: string | null;

  @Field(() => String, { nullable: true, description: 'What the vendor says about the error; not passed on.' })
  @Limits({ maxLength: 4_000 })
  errorDescription?: string | null;

  @Field(() => JsonObject, { nullable: true, description: 'All other parameters that came back, such as `iss`.' })
  params?: Values | null;
}

@PlainObjectType('A sign-in that was completed.')
export class OAuthCompletion {
  @RequiredField('The connection.', () => TenantConnectorInstance)
  instance: TenantConnectorInstance;

  @RequiredField('Its new credential record.', () => Base62Id)
  credentialMetadataId: string;

  @RequiredField(
    'Scopes that the vendor granted; those asked for, where it does not say (RFC 6749, section 5.1).',
    () => [String],
  )
  grantedScopes: string[];

  @RequiredField('Scopes that were asked for and not granted.', () => [String])
  missingScopes: string[];

  @RequiredField('What the test of the new credential found.', () => CredentialValidationResult)
  validation: CredentialValidationResult;
}
