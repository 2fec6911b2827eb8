import { Collection, type Opt, type Ref } from '@mikro-orm/core';
import { Index, ManyToOne, OneToMany, Property } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { EnumColumn, PlainObjectType, TextColumn } from '../../kernel/entities/column-decorators.js';
import { TenantAudited, TenantTable } from '../../kernel/entities/tenant-table.js';
import { Base62Id } from '../../kernel/ids.js';
import { Access } from '../../tenancy/access.js';
import { Connector } from '../model/connector.js';
import { PlatformVendor } from '../model/platform-vendor.js';
import { PlatformVendorGrouping } from '../model/platform-vendor-grouping.js';
import { ConnectorRequestMove } from './connector-request-move.js';
import { ConnectorRequestStatus, OPEN_STATUSES } from './connector-request-status.js';

/** What the catalog loses, the request forgets. */
const ofCatalog = { ref: true, nullable: true, deleteRule: 'set null' } as const;

const IS_OPEN_SQL = `status in (${OPEN_STATUSES.map((status) => `'${status}'`).join(', ')})`;

@PlainObjectType('That a workspace misses a connector.')
@TenantTable({ orderBy: { createdAt: 'desc', id: 'asc' } })
@Index({ properties: ['tenantId', 'createdAt'] })
@Index({ properties: ['tenantId', 'nameKey'], where: IS_OPEN_SQL })
export class ConnectorRequest extends TenantAudited {
  @TextColumn('What is missed.')
  connectorName: string;

  /**
   * The name in lower case, by which an open request is found. A column and not an expression: `lower` is not leakproof, so under row level security
   * PostgreSQL does not look an expression of it up in an index.
   */
  @Property({ type: 'text', generated: '(lower(connector_name)) stored', hidden: true })
  nameKey: Opt<string>;

  @TextColumn('What it is needed for.', { nullable: true })
  notes?: string;

  @EnumColumn(ConnectorRequestStatus, 'How far it is.')
  status: ConnectorRequestStatus = 'pending';

  @ManyToOne(() => PlatformVendorGrouping, ofCatalog)
  resolvedGrouping?: Ref<PlatformVendorGrouping>;

  @ManyToOne(() => PlatformVendor, ofCatalog)
  resolvedVendor?: Ref<PlatformVendor>;

  @ManyToOne(() => Connector, ofCatalog)
  resultConnector?: Ref<Connector>;

  @Field(() => Base62Id, { nullable: true, description: 'Once completed: the grouping that offers the connector.' })
  resolvedGroupingId?: string;

  @Field(() => Base62Id, { nullable: true, description: 'Once completed: the vendor.' })
  resolvedVendorId?: string;

  @Field(() => Base62Id, { nullable: true, description: 'Once completed: the connector.' })
  resultConnectorId?: string;

  @Access('connector_requests:read')
  @Field(() => [ConnectorRequestMove], { description: 'How it came to where it is, the first move first.' })
  @OneToMany(
    () => ConnectorRequestMove,
    (move) => move.request,
  )
  moves = new Collection<ConnectorRequestMove>(this);
}
