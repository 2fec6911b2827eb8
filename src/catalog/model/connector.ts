import { Collection, type Ref } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, OneToMany, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Extensions, Field } from 'type-graphql';
import { Audited } from '../../kernel/entities/audited.js';
import {
  EnumColumn,
  IntColumn,
  JsonColumn,
  PlainObjectType,
  TextColumn,
} from '../../kernel/entities/column-decorators.js';
import { JsonObject } from '../../kernel/entities/scalars.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';
import { AddressingConfig } from './addressing-config.js';
import { ConnectorAuthStrategy } from './connector-auth-strategy.js';
import { ConnectorTap } from './connector-tap.js';
import { FieldDiscovery } from './field-discovery.js';
import { InboundAuthStrategy } from './inbound-auth-strategy.js';
import { IntegrationClass, ProtocolType } from './integration-class.js';
import { PlatformVendor } from './platform-vendor.js';
import { RateLimits } from './rate-limits.js';
import { Traversal } from './traversal.js';

export const ConnectorReleaseStatus = wireEnum('ConnectorReleaseStatus', 'Life cycle of a connector definition.', {
  draft: 'Being written.',
  in_review: 'Waiting for approval.',
  published: 'In use.',
  deprecated: 'In use, to be replaced.',
  archived: 'Kept for old connections only.',
});
export type ConnectorReleaseStatus = keyof typeof ConnectorReleaseStatus;

@PlainObjectType('Definition of a connector: how to reach a source, authenticate with it and read its streams.')
@Entity({ orderBy: { name: 'asc', slug: 'asc' } })
@Unique({ properties: ['vendor', 'definitionKey'] })
export class Connector extends Audited {
  /** Whose definition file the connector comes from. */
  @ManyToOne(() => PlatformVendor, { ref: true })
  @Index()
  vendor: Ref<PlatformVendor>;

  /** Names the connector in its definition file, so that its id and slug survive every reload. */
  @Property({ type: 'text' })
  definitionKey: string;

  @TextColumn(
    "Unique: the first tap's name without punctuation, 8 characters at most, `_`, and 8 random base62 characters.",
    { unique: true },
  )
  slug: string;

  @TextColumn('Name for people.')
  name: string;

  @TextColumn('What it reads.', { nullable: true })
  description?: string;

  @TextColumn('Version of the source API that it speaks.', { nullable: true })
  apiVersion?: string;

  @TextColumn('Base address of calls; a connection may have its own.', { nullable: true })
  defaultBaseUrl?: string;

  @JsonColumn(() => AddressingConfig, "How the address is put together; a strategy's own comes before it.", {
    nullable: true,
  })
  addressingConfig?: AddressingConfig;

  @Field(() => [ConnectorAuthStrategy], { description: 'Ways to authenticate, the recommended one first.' })
  @OneToMany(
    () => ConnectorAuthStrategy,
    (strategy) => strategy.connector,
  )
  supportedAuthStrategies = new Collection<ConnectorAuthStrategy>(this);

  @Field(() => [InboundAuthStrategy], {
    nullable: true,
    description: 'How senders are verified; missing where nothing is sent.',
  })
  @OneToMany(
    () => InboundAuthStrategy,
    (strategy) => strategy.connector,
  )
  inboundAuthStrategies = new Collection<InboundAuthStrategy>(this);

  @Field(() => [ConnectorTap], { description: 'The data streams.' })
  @OneToMany(
    () => ConnectorTap,
    (tap) => tap.connector,
  )
  taps = new Collection<ConnectorTap>(this);

  @JsonColumn(() => Traversal, 'The tap graph; missing where all taps are roots.', { nullable: true })
  traversal?: Traversal;

  @JsonColumn(() => JsonObject, 'JSON Schema of the ingestion parameters that the customer supplies.', {
    nullable: true,
  })
  ingestionConfigSchema?: Record<string, unknown>;

  @EnumColumn(IntegrationClass, 'How data is extracted.', { nullable: true })
  integrationClass?: IntegrationClass;

  @EnumColumn(ProtocolType, 'What is spoken with the source.', { nullable: true })
  protocolType?: ProtocolType;

  @JsonColumn(() => RateLimits, 'Limits of the source; a tap may have its own.', { nullable: true })
  rateLimits?: RateLimits;

  @TextColumn(
    'Adds a limit per tap that is shared by all connections with the same rendered text. Placeholders: `{workspace}`, `{connector}`, `{tap}`, `{instance}`; without `{instance}` the limit is shared across instances.',
    { nullable: true },
  )
  concurrencyTagTemplate?: string;

  @Extensions({ jsonSchema: { format: 'int64' } })
  @IntColumn('Timeout of one HTTP request to the source, in seconds. Defaults to 30.', { nullable: true })
  timeoutSeconds?: number;

  @JsonColumn(() => FieldDiscovery, 'How fields are found at run time.', { nullable: true })
  fieldDiscovery?: FieldDiscovery;

  @JsonColumn(() => JsonObject, 'What is known about the effort of reading it.', { nullable: true })
  effortMetadata?: Record<string, unknown>;

  @TextColumn('Setup guide for the customer, in Markdown.', { nullable: true })
  setupDocumentation?: string;

  @EnumColumn(ConnectorReleaseStatus, 'Life cycle of the definition.')
  releaseStatus: ConnectorReleaseStatus;
}
