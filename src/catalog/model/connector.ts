import { Collection, type Ref } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, OneToMany, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Extensions, Field } from 'type-graphql';
import { Audited } from '../../kernel/entities/audited.js';
import {
  EnumColumn,
  ExactJsonColumn,
  IntColumn,
  JsonColumn,
  PlainObjectType,
  TextColumn,
} from '../../kernel/entities/column-decorators.js';
import { Listed } from '../../kernel/entities/listed.js';
import { JsonObject } from '../../kernel/entities/scalars.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';
import { OfCatalog } from '../of-catalog.js';
import { AddressingConfig } from './addressing-config.js';
import { ConnectorAuthStrategy } from './connector-auth-strategy.js';
import { ConnectorTap } from './connector-tap.js';
import { DefinitionSource, SOURCES_DESCRIPTION, UNVERIFIED_DESCRIPTION } from './definition-source.js';
import { FieldDiscovery } from './field-discovery.js';
import { InboundAuthStrategy } from './inbound-auth-strategy.js';
import { IntegrationClass, ProtocolType } from './integration-class.js';
import { PlatformVendor } from './platform-vendor.js';
import { RateLimits } from './rate-limits.js';
import { Traversal } from './traversal.js';

export const ConnectorReleaseStatus = wireEnum('ConnectorReleaseStatus', 'Release status of a connector.', {
  draft: 'The connector is in development.',
  in_review: 'The connector is in review.',
  published: 'The connector is available to new and existing connections.',
  deprecated: 'The connector is available to new and existing connections, but superseded.',
  archived: 'The connector is available to existing connections, but not to new ones.',
});
export type ConnectorReleaseStatus = keyof typeof ConnectorReleaseStatus;

@PlainObjectType('Description of a source: address, authentication strategies and taps.')
@Entity({ orderBy: { name: 'asc', slug: 'asc' } })
@Index({ properties: ['name', 'slug'] })
@Unique({ properties: ['vendor', 'definitionKey'] })
@Listed({
  filters: ['name', 'releaseStatus', 'integrationClass', 'protocolType', 'vendor', 'createdAt', 'updatedAt'],
  orders: ['name', 'createdAt', 'updatedAt'],
})
export class Connector extends Audited {
  @OfCatalog()
  @Field(() => PlatformVendor, { description: 'Vendor whose definition contains the connector.' })
  @ManyToOne(() => PlatformVendor, { ref: true })
  @Index()
  vendor: Ref<PlatformVendor>;

  /** Identifies the connector in its definition, so that the id and slug of the connector are stable across reloads. */
  @Property({ type: 'text' })
  definitionKey: string;

  @TextColumn(
    'Unique name: up to 8 letters and digits of the name of the first tap, `_`, and 8 random base62 characters. Without taps, the letters and digits come from the name of the connector.',
    {
      unique: true,
    },
  )
  slug: string;

  @TextColumn('Display name.')
  name: string;

  @TextColumn('Description of the data that the connector reads.', { nullable: true })
  description?: string;

  @TextColumn('Version of the source API.', { nullable: true })
  apiVersion?: string;

  @TextColumn('Base URL of the source API. A strategy may override it.', { nullable: true })
  defaultBaseUrl?: string;

  @ExactJsonColumn(() => AddressingConfig, 'Template of the base URL. A strategy may override it.', {
    nullable: true,
  })
  addressingConfig?: AddressingConfig;

  @OfCatalog()
  @Field(() => [ConnectorAuthStrategy], { description: 'Authentication strategies, the recommended one first.' })
  @OneToMany(
    () => ConnectorAuthStrategy,
    (strategy) => strategy.connector,
  )
  supportedAuthStrategies = new Collection<ConnectorAuthStrategy>(this);

  @OfCatalog()
  @Field(() => [InboundAuthStrategy], {
    nullable: true,
    description: 'Strategies that verify senders of pushed records. Null if the connector accepts no pushed records.',
  })
  @OneToMany(
    () => InboundAuthStrategy,
    (strategy) => strategy.connector,
  )
  inboundAuthStrategies = new Collection<InboundAuthStrategy>(this);

  @OfCatalog()
  @Field(() => [ConnectorTap], { description: 'Data streams of the connector.' })
  @OneToMany(
    () => ConnectorTap,
    (tap) => tap.connector,
  )
  taps = new Collection<ConnectorTap>(this);

  @ExactJsonColumn(() => Traversal, 'Dependencies between taps. Null if all taps are roots.', { nullable: true })
  traversal?: Traversal;

  @JsonColumn(() => JsonObject, 'JSON Schema of `ingestionConfig`, which the customer fills in.', {
    nullable: true,
  })
  ingestionConfigSchema?: Record<string, unknown>;

  @EnumColumn(IntegrationClass, 'How the service receives the data of the source.', { nullable: true })
  integrationClass?: IntegrationClass;

  @EnumColumn(ProtocolType, 'Protocol of the source.', { nullable: true })
  protocolType?: ProtocolType;

  @ExactJsonColumn(() => RateLimits, 'Rate limits of the source. A tap may override them.', { nullable: true })
  rateLimits?: RateLimits;

  @TextColumn(
    'Template of a key for rate limits. Requests with the same rendered key share the limits. Placeholders: `{workspace}`, `{connector}`, `{tap}`, `{instance}`. Without a template, each connection has its own limits.',
    { nullable: true },
  )
  concurrencyTagTemplate?: string;

  @OfCatalog()
  @Extensions({ jsonSchema: { format: 'int64' } })
  @IntColumn('Timeout of one HTTP request to the source, in seconds. Defaults to 30.', { nullable: true })
  timeoutSeconds?: number;

  @ExactJsonColumn(() => FieldDiscovery, 'How the service discovers the fields of an object at run time.', {
    nullable: true,
  })
  fieldDiscovery?: FieldDiscovery;

  @JsonColumn(
    () => JsonObject,
    'Figures from which a client can estimate the effort to set up the connector and to read its taps. If the definition has no figures, the service computes `setupSteps`, `requiresSignIn`, `pushedTaps`, `incrementalTaps`, `fullReadTaps` and `childTaps`.',
    { nullable: true },
  )
  effortMetadata?: Record<string, unknown>;

  @TextColumn('Setup guide for the customer, in Markdown.', { nullable: true })
  setupDocumentation?: string;

  @EnumColumn(ConnectorReleaseStatus, 'Release status.')
  releaseStatus: ConnectorReleaseStatus;

  @ExactJsonColumn(() => [DefinitionSource], SOURCES_DESCRIPTION, { nullable: true })
  sources?: DefinitionSource[];

  @ExactJsonColumn(() => [String], UNVERIFIED_DESCRIPTION, { nullable: true })
  unverified?: string[];
}
