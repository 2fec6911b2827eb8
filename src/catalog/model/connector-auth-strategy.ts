// The catalog entities import each other. Without this first import, ConnectorPart would be undefined here.
import './connector.js';
import { Entity, Property, Unique } from '@mikro-orm/decorators/legacy';
import {
  EnumColumn,
  ExactJsonColumn,
  JsonColumn,
  PlainObjectType,
  TextColumn,
} from '../../kernel/entities/column-decorators.js';
import { Listed } from '../../kernel/entities/listed.js';
import { JsonObject } from '../../kernel/entities/scalars.js';
import { AddressingConfig } from './addressing-config.js';
import {
  ApiKeyConfig,
  AuthMethodType,
  BasicConfig,
  BearerConfig,
  OAuth2Config,
  PreEncodedBasicConfig,
} from './auth-method-configs.js';
import { ConnectorPart } from './connector-part.js';
import { CredentialVerification } from './credential-verification.js';

@PlainObjectType('One way to authenticate with the source of a connector. Contains no secrets.')
@Entity({ orderBy: { position: 'asc' } })
@Unique({ properties: ['connector', 'definitionKey'] })
@Listed({ filters: ['label', 'type'], orders: ['label'] })
export class ConnectorAuthStrategy extends ConnectorPart {
  /** Identifies the strategy in its definition, so that the id of the strategy is stable across reloads. */
  @Property({ type: 'text' })
  definitionKey: string;

  @EnumColumn(AuthMethodType, 'Authentication method.')
  type: AuthMethodType;

  @TextColumn('Label shown during setup.', { nullable: true })
  label?: string;

  @JsonColumn(() => JsonObject, 'JSON Schema of `authenticationConfig`. Secret fields are marked `secret: true`.', {
    nullable: true,
  })
  configSchema?: Record<string, unknown>;

  @JsonColumn(() => JsonObject, 'JSON Schema of `ingestionConfig`. Overrides the schema of the connector.', {
    nullable: true,
  })
  ingestionConfigSchema?: Record<string, unknown>;

  @ExactJsonColumn(() => AddressingConfig, 'Template of the base URL. Overrides the template of the connector.', {
    nullable: true,
  })
  addressingConfig?: AddressingConfig;

  @TextColumn('Base URL. Overrides the base URL of the connector.', { nullable: true })
  defaultBaseUrl?: string;

  @ExactJsonColumn(() => [String], 'OAuth 2.0 scopes requested by default.', { nullable: true })
  defaultScopes?: string[];

  @TextColumn(
    'Name of the ingestion config field that contains the delegated user. Only for the types `google_domain_wide_delegation` and `oauth2_jwt_bearer`.',
    { nullable: true },
  )
  delegatedUserField?: string;

  @TextColumn('Setup notes for this method, in Markdown.', { nullable: true })
  docs?: string;

  @JsonColumn(
    () => JsonObject,
    'Additional headers of every authenticated request. Values may contain config fields in braces, including secret fields. The service omits a header if one of its fields has no value.',
    { nullable: true },
  )
  extraHeaders?: Record<string, unknown>;

  @TextColumn('Name of the built-in code for a vendor-specific method.', { nullable: true })
  hook?: string;

  @ExactJsonColumn(() => ApiKeyConfig, 'Settings of `api_key_header` and `api_key_query`.', { nullable: true })
  apiKeyConfig?: ApiKeyConfig;

  @ExactJsonColumn(() => BasicConfig, 'Settings of `basic`.', { nullable: true })
  basicConfig?: BasicConfig;

  @ExactJsonColumn(() => PreEncodedBasicConfig, 'Settings of `basic` with pre-encoded credentials.', { nullable: true })
  preEncodedBasicConfig?: PreEncodedBasicConfig;

  @ExactJsonColumn(
    () => BearerConfig,
    'Settings of `bearer`. Methods that obtain a token also use these settings, for the header with the token.',
    {
      nullable: true,
    },
  )
  bearerConfig?: BearerConfig;

  @ExactJsonColumn(() => OAuth2Config, 'Settings of the OAuth 2.0 and session methods.', { nullable: true })
  oauth2Config?: OAuth2Config;

  @ExactJsonColumn(() => CredentialVerification, 'The request that tests a credential.', { nullable: true })
  verification?: CredentialVerification;
}
