import { Collection, type Ref } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, OneToMany, Unique } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { Identified } from '../../kernel/entities/audited.js';
import {
  BooleanColumn,
  EnumColumn,
  IntColumn,
  JsonColumn,
  PlainObjectType,
  TextColumn,
} from '../../kernel/entities/column-decorators.js';
import { JsonObject } from '../../kernel/entities/scalars.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';
import { Base62Id } from '../../kernel/ids.js';
import { Access } from '../../tenancy/access.js';
import { Connector } from './connector.js';
import { ConnectorAuthStrategy } from './connector-auth-strategy.js';
import { InboundAuthStrategy } from './inbound-auth-strategy.js';
import { IntegrationClass, ProtocolType } from './integration-class.js';
import { PlatformVendor } from './platform-vendor.js';

export const GroupingReleaseStage = wireEnum('GroupingReleaseStage', 'How far a grouping is.', {
  planned: 'Announced.',
  private_preview: 'For invited customers.',
  alpha: 'For trying out.',
  beta: 'Complete, not yet proven.',
  ga: 'For everybody.',
  deprecated: 'To be replaced.',
  sunset: 'No longer offered.',
});
export type GroupingReleaseStage = keyof typeof GroupingReleaseStage;

export const GroupingPriority = wireEnum('GroupingPriority', 'How much a customer of the vendor needs a grouping.', {
  required: 'The vendor is of no use without it.',
  recommended: 'Most customers want it.',
  optional: 'Some customers want it.',
});
export type GroupingPriority = keyof typeof GroupingPriority;

@PlainObjectType('One variant of a connector for a vendor, or a node that holds such variants.')
@Entity({ orderBy: { sortOrder: 'asc', name: 'asc', id: 'asc' } })
@Unique({ properties: ['vendor', 'groupingPath'] })
export class PlatformVendorGrouping extends Identified {
  @Field(() => PlatformVendor, { description: 'The vendor that it belongs to.' })
  @ManyToOne(() => PlatformVendor, { ref: true })
  vendor: Ref<PlatformVendor>;

  @Field(() => PlatformVendorGrouping, {
    nullable: true,
    description: 'The grouping that it stands under; missing at the top.',
  })
  @ManyToOne(() => PlatformVendorGrouping, { ref: true, nullable: true, deleteRule: 'cascade' })
  @Index()
  parent?: Ref<PlatformVendorGrouping>;

  @Field(() => [PlatformVendorGrouping], { description: 'The groupings under it, at most 8 levels in all.' })
  @OneToMany(
    () => PlatformVendorGrouping,
    (grouping) => grouping.parent,
  )
  groupings = new Collection<PlatformVendorGrouping>(this);

  @Access('connectors:read')
  @Field(() => Connector, {
    nullable: true,
    description: 'The connector that a leaf offers; missing where none is built yet.',
  })
  @ManyToOne(() => Connector, { ref: true, nullable: true, deleteRule: 'restrict' })
  @Index()
  connector?: Ref<Connector>;

  /** Whose strategies a planned leaf is known to take, which offers no connector yet. */
  @ManyToOne(() => Connector, { ref: true, nullable: true })
  @Index()
  strategiesOf?: Ref<Connector>;

  @Field(() => Base62Id, { nullable: true, description: 'Id of that connector.' })
  connectorId?: string;

  @TextColumn('Name for people.')
  name: string;

  @TextColumn('URL-friendly name, unique among its siblings.')
  slug: string;

  @TextColumn('What it covers.', { nullable: true })
  description?: string;

  @TextColumn('Setup guide in Markdown.', { nullable: true })
  docs?: string;

  @BooleanColumn('Whether it stands for a connector: nothing stands under it.')
  isLeaf: boolean;

  @JsonColumn(() => [String], 'Names from the vendor down to this grouping, itself included.')
  breadcrumbs: string[];

  @TextColumn('Path within the vendor: slugs separated by slashes.')
  groupingPath: string;

  @EnumColumn(GroupingReleaseStage, 'How far it is.')
  releaseStage: GroupingReleaseStage;

  @EnumColumn(GroupingPriority, 'How much customers need it.', { nullable: true })
  priority?: GroupingPriority;

  @IntColumn('Place among its siblings, ascending; equal places are ordered by name.')
  sortOrder: number;

  @TextColumn("The vendor's own version of what this covers.", { nullable: true })
  externalVersion?: string;

  @TextColumn('Version of this definition.', { nullable: true })
  platformVersion?: string;

  @JsonColumn(() => JsonObject, 'The logo: `url`, and `alt` for those who cannot see it.', { nullable: true })
  logo?: Record<string, unknown>;

  @JsonColumn(() => JsonObject, "The connector's schema of ingestion parameters.", { nullable: true })
  ingestionConfigSchema?: Record<string, unknown>;

  @EnumColumn(IntegrationClass, 'How data is extracted.', { nullable: true })
  integrationClass?: IntegrationClass;

  @EnumColumn(ProtocolType, 'What is spoken with the source.', { nullable: true })
  protocolType?: ProtocolType;

  @Field(() => [ConnectorAuthStrategy], {
    nullable: true,
    description:
      'Ways to authenticate with a leaf, the recommended one first; absent for a planned leaf whose strategies are not known yet.',
  })
  supportedAuthStrategies?: ConnectorAuthStrategy[];

  @Field(() => [InboundAuthStrategy], { nullable: true, description: 'How senders to a leaf are verified.' })
  supportedInboundAuthStrategies?: InboundAuthStrategy[];
}
