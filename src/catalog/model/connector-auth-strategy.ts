import { Entity, Property, Unique } from '@mikro-orm/decorators/legacy';
import { EnumColumn, JsonColumn, PlainObjectType, TextColumn } from '../../kernel/entities/column-decorators.js';
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

@PlainObjectType('One way to authenticate with a connector. It says how a credential is sent, never the secret.')
@Entity({ orderBy: { position: 'asc' } })
@Unique({ properties: ['connector', 'definitionKey'] })
export class ConnectorAuthStrategy extends ConnectorPart {
  /** Names the strategy in its definition file, so that its id survives every reload. */
  @Property({ type: 'text' })
  definitionKey: string;

  @EnumColumn(AuthMethodType, 'The method.')
  type: AuthMethodType;

  @TextColumn('Display label in setup.', { nullable: true })
  label?: string;

  @JsonColumn(() => JsonObject, 'JSON Schema of `authenticationConfig`; secret fields carry `secret: true`.', {
    nullable: true,
  })
  configSchema?: Record<string, unknown>;

  @JsonColumn(() => JsonObject, "JSON Schema of `ingestionConfig` that replaces the connector's.", { nullable: true })
  ingestionConfigSchema?: Record<string, unknown>;

  @JsonColumn(() => AddressingConfig, "Address that replaces the connector's.", { nullable: true })
  addressingConfig?: AddressingConfig;

  @TextColumn("Base address that replaces the connector's.", { nullable: true })
  defaultBaseUrl?: string;

  @JsonColumn(() => [String], 'OAuth 2.0 scopes that are asked for by default.', { nullable: true })
  defaultScopes?: string[];

  @TextColumn('Ingestion config field that holds the delegated user, for domain-wide delegation.', { nullable: true })
  delegatedUserField?: string;

  @TextColumn('Setup notes for this method, in Markdown.', { nullable: true })
  docs?: string;

  @JsonColumn(() => JsonObject, 'Headers on every authenticated request.', { nullable: true })
  extraHeaders?: Record<string, unknown>;

  @TextColumn('Code behind a method that no setting describes.', { nullable: true })
  hook?: string;

  @JsonColumn(() => ApiKeyConfig, 'Settings of api_key_header and api_key_query.', { nullable: true })
  apiKeyConfig?: ApiKeyConfig;

  @JsonColumn(() => BasicConfig, 'Settings of basic.', { nullable: true })
  basicConfig?: BasicConfig;

  @JsonColumn(() => PreEncodedBasicConfig, 'Settings of basic with an encoded pair.', { nullable: true })
  preEncodedBasicConfig?: PreEncodedBasicConfig;

  @JsonColumn(() => BearerConfig, 'Settings of bearer, and of how an obtained token is sent.', { nullable: true })
  bearerConfig?: BearerConfig;

  @JsonColumn(() => OAuth2Config, 'Settings of the OAuth 2.0 and session methods.', { nullable: true })
  oauth2Config?: OAuth2Config;

  @JsonColumn(() => CredentialVerification, 'The call that tells whether a credential works.', { nullable: true })
  verification?: CredentialVerification;
}
