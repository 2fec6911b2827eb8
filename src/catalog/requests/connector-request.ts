import { Collection, type Opt, type Ref } from '@mikro-orm/core';
import { Index, ManyToOne, OneToMany, Property } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { EnumColumn, PlainObjectType, TextColumn } from '../../kernel/entities/column-decorators.js';
import { Listed } from '../../kernel/entities/listed.js';
import { statusListSql } from '../../kernel/entities/status-list-sql.js';
import { TenantAudited, TenantTable } from '../../kernel/entities/tenant-table.js';
import { Base62Id } from '../../kernel/ids.js';
import { Access } from '../../tenancy/access.js';
import { Connector } from '../model/connector.js';
import { PlatformVendor } from '../model/platform-vendor.js';
import { PlatformVendorGrouping } from '../model/platform-vendor-grouping.js';
import { ConnectorRequestMove } from './connector-request-move.js';
import { ConnectorRequestStatus, OPEN_STATUSES } from './connector-request-status.js';

/** PostgreSQL clears the reference when the catalog row is deleted. */
const ofCatalog = { ref: true, nullable: true, deleteRule: 'set null' } as const;

const IS_OPEN_SQL = `status in (${statusListSql(OPEN_STATUSES)})`;

@PlainObjectType('A request of a workspace for a connector that the catalog lacks.')
@TenantTable({ orderBy: { createdAt: 'desc', id: 'asc' } })
@Index({ properties: ['tenantId', 'createdAt'] })
@Index({ properties: ['tenantId', 'nameKey'], where: IS_OPEN_SQL })
@Listed({
  filters: [
    'connectorName',
    'status',
    'createdAt',
    'updatedAt',
    'resolvedVendor',
    'resolvedGrouping',
    'resultConnector',
  ],
  orders: ['connectorName', 'createdAt', 'updatedAt'],
})
export class ConnectorRequest extends TenantAudited {
  @TextColumn('Name of the requested connector.')
  connectorName: string;

  /**
   * PostgreSQL would not use an index on `lower(connector_name)`, because `lower` is not leakproof and the table has
   * row level security.
   */
  @Property({ type: 'text', generated: '(lower(connector_name)) stored', hidden: true })
  nameKey: Opt<string>;

  @TextColumn('Purpose of the connector.', { nullable: true })
  notes?: string;

  @EnumColumn(ConnectorRequestStatus, 'Status of the request.')
  status: ConnectorRequestStatus = 'pending';

  @Field(() => PlatformVendorGrouping, {
    nullable: true,
    description:
      'Grouping that offers the connector. Null until the request is completed. Also null if the catalog no longer has the grouping.',
  })
  @ManyToOne(() => PlatformVendorGrouping, ofCatalog)
  resolvedGrouping?: Ref<PlatformVendorGrouping>;

  @Field(() => PlatformVendor, {
    nullable: true,
    description:
      'Vendor of the connector. Null until the request is completed. Also null if the catalog no longer has the vendor.',
  })
  @ManyToOne(() => PlatformVendor, ofCatalog)
  resolvedVendor?: Ref<PlatformVendor>;

  @Access('connectors:read')
  @Field(() => Connector, {
    nullable: true,
    description:
      'Connector that fulfils the request. Null until the request is completed. Also null if the catalog no longer has the connector.',
  })
  @ManyToOne(() => Connector, ofCatalog)
  resultConnector?: Ref<Connector>;

  @Field(() => Base62Id, {
    nullable: true,
    description:
      'Id of the grouping that offers the connector. Null until the request is completed. Also null if the catalog no longer has the grouping.',
  })
  resolvedGroupingId?: string;

  @Field(() => Base62Id, {
    nullable: true,
    description:
      'Id of the vendor of the connector. Null until the request is completed. Also null if the catalog no longer has the vendor.',
  })
  resolvedVendorId?: string;

  @Field(() => Base62Id, {
    nullable: true,
    description:
      'Id of the connector that fulfils the request. Null until the request is completed. Also null if the catalog no longer has the connector.',
  })
  resultConnectorId?: string;

  @Access('connector_requests:read')
  @Field(() => [ConnectorRequestMove], { description: 'Status changes, oldest first.' })
  @OneToMany(
    () => ConnectorRequestMove,
    (move) => move.request,
  )
  moves = new Collection<ConnectorRequestMove>(this);
}
