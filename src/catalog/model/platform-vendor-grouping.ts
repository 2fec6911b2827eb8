import { Collection, type Ref } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, OneToMany, Unique } from '@mikro-orm/decorators/legacy';
import { Extensions, Field } from 'type-graphql';
import { Identified } from '../../kernel/entities/audited.js';
import {
  BooleanColumn,
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
import { Base62Id } from '../../kernel/ids.js';
import type { EdgePlan } from '../../kernel/reading/edge-plan.js';
import { Access } from '../../tenancy/access.js';
import { OfCatalog } from '../of-catalog.js';
import { Connector } from './connector.js';
import { ConnectorAuthStrategy } from './connector-auth-strategy.js';
import { InboundAuthStrategy } from './inbound-auth-strategy.js';
import { IntegrationClass, ProtocolType } from './integration-class.js';
import { PlatformVendor } from './platform-vendor.js';

export const GroupingReleaseStage = wireEnum('GroupingReleaseStage', 'Release stage of a grouping.', {
  planned: 'Announced, but not available yet.',
  private_preview: 'Available to invited customers.',
  alpha: 'Available for evaluation.',
  beta: 'Feature-complete, not yet proven in production.',
  ga: 'Generally available.',
  deprecated: 'Available, but superseded.',
  sunset: 'No longer offered.',
});
export type GroupingReleaseStage = keyof typeof GroupingReleaseStage;

export const GroupingPriority = wireEnum('GroupingPriority', "Importance of a grouping for the vendor's customers.", {
  required: 'All customers of the vendor need the grouping.',
  recommended: 'Useful for most customers.',
  optional: 'Useful for some customers.',
});
export type GroupingPriority = keyof typeof GroupingPriority;

@PlainObjectType(
  'A node in the product tree of a vendor. A leaf offers at most one connector, and other nodes contain groupings.',
)
@Entity({ orderBy: { sortOrder: 'asc', name: 'asc', id: 'asc' } })
@Unique({ properties: ['vendor', 'groupingPath'] })
@Listed({
  filters: [
    'name',
    'releaseStage',
    'priority',
    'isLeaf',
    'integrationClass',
    'protocolType',
    'vendor',
    'parent',
    'connector',
  ],
  orders: ['name', 'sortOrder', 'groupingPath'],
})
export class PlatformVendorGrouping extends Identified {
  @OfCatalog()
  @Field(() => PlatformVendor, { description: 'Vendor of the grouping.' })
  @ManyToOne(() => PlatformVendor, { ref: true })
  vendor: Ref<PlatformVendor>;

  @OfCatalog()
  @Field(() => PlatformVendorGrouping, {
    nullable: true,
    description: 'Parent grouping. Null at the top level.',
  })
  @ManyToOne(() => PlatformVendorGrouping, { ref: true, nullable: true, deleteRule: 'cascade' })
  @Index()
  parent?: Ref<PlatformVendorGrouping>;

  @OfCatalog()
  @Extensions({
    plan: {
      ...{ kind: 'branch', of: () => PlatformVendorGrouping, by: 'vendor', part: 'parent' },
      ...{ owner: 'vendor', parent: 'id' },
    } satisfies EdgePlan,
  })
  @Field(() => [PlatformVendorGrouping], { description: 'Child groupings. The tree has at most 8 levels.' })
  @OneToMany(
    () => PlatformVendorGrouping,
    (grouping) => grouping.parent,
  )
  groupings = new Collection<PlatformVendorGrouping>(this);

  @Access('connectors:read')
  @OfCatalog()
  @Field(() => Connector, {
    nullable: true,
    description:
      'Connector that a leaf offers. Null for other nodes and for leaves whose connector is not available yet.',
  })
  @ManyToOne(() => Connector, { ref: true, nullable: true, deleteRule: 'restrict' })
  @Index()
  connector?: Ref<Connector>;

  /**
   * Connector whose strategies the leaf returns. Set only for a leaf without a connector of its own. Such a leaf has
   * the stage `planned`.
   */
  @ManyToOne(() => Connector, { ref: true, nullable: true })
  @Index()
  strategiesOf?: Ref<Connector>;

  @OfCatalog()
  @Extensions({ property: 'connector' })
  @Field(() => Base62Id, {
    nullable: true,
    description:
      'Id of the connector that a leaf offers. Null for other nodes and for leaves whose connector is not available yet.',
  })
  connectorId?: string;

  @TextColumn('Display name.')
  name: string;

  @TextColumn('URL-friendly name, unique among the siblings.')
  slug: string;

  @TextColumn('Description of the data that the grouping covers.', { nullable: true })
  description?: string;

  @TextColumn('Setup guide, in Markdown. Defaults to the guide of the connector.', { nullable: true })
  docs?: string;

  @BooleanColumn('Whether the grouping has no children.')
  isLeaf: boolean;

  @ExactJsonColumn(() => [String], 'Names from the vendor down to and including this grouping.')
  breadcrumbs: string[];

  @TextColumn('Path in the product tree of the vendor: slugs separated by slashes.')
  groupingPath: string;

  @EnumColumn(GroupingReleaseStage, 'Release stage.')
  releaseStage: GroupingReleaseStage;

  @EnumColumn(GroupingPriority, "Importance for the vendor's customers.", { nullable: true })
  priority?: GroupingPriority;

  @IntColumn('Sort position among the siblings, ascending. Items with the same position are ordered by name.')
  sortOrder: number;

  @TextColumn("The vendor's version of the product or API. Defaults to the `apiVersion` of the connector.", {
    nullable: true,
  })
  externalVersion?: string;

  @TextColumn(
    'Version of the definition of the vendor. Defaults to the version of the service that loaded the definition.',
    {
      nullable: true,
    },
  )
  platformVersion?: string;

  @JsonColumn(
    () => JsonObject,
    'Logo: `url`, absolute or relative to the service, and the alternative text `alt`. Defaults to the logo of the vendor.',
    { nullable: true },
  )
  logo?: Record<string, unknown>;

  @JsonColumn(
    () => JsonObject,
    'JSON Schema of `ingestionConfig` of a connection. The connector of the grouping defines this schema.',
    {
      nullable: true,
    },
  )
  ingestionConfigSchema?: Record<string, unknown>;

  @EnumColumn(IntegrationClass, 'How the service receives the data of the source.', { nullable: true })
  integrationClass?: IntegrationClass;

  @EnumColumn(ProtocolType, 'Protocol of the source.', { nullable: true })
  protocolType?: ProtocolType;

  @OfCatalog()
  @Extensions({
    plan: {
      ...{ kind: 'listOfOther', of: () => ConnectorAuthStrategy, by: 'connector' },
      ...{ owners: ['connector', 'strategiesOf'], isNullIfEmpty: false },
    } satisfies EdgePlan,
  })
  @Field(() => [ConnectorAuthStrategy], {
    nullable: true,
    description:
      'Authentication strategies of a leaf, the recommended one first. Null for a grouping with children, and for a planned leaf whose strategies are not known yet.',
  })
  supportedAuthStrategies?: ConnectorAuthStrategy[];

  @OfCatalog()
  @Extensions({
    plan: {
      ...{ kind: 'listOfOther', of: () => InboundAuthStrategy, by: 'connector' },
      ...{ owners: ['connector', 'strategiesOf'], isNullIfEmpty: true },
    } satisfies EdgePlan,
  })
  @Field(() => [InboundAuthStrategy], {
    nullable: true,
    description: 'Inbound strategies of a leaf, which verify the senders of pushed records. Null if there are none.',
  })
  supportedInboundAuthStrategies?: InboundAuthStrategy[];
}
