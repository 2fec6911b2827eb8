import { Collection, type Ref } from '@mikro-orm/core';
import { Index, ManyToOne, OneToMany } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { EnumColumn, Shape, TextColumn } from '../kernel/columns.js';
import { Base62Id } from '../kernel/ids.js';
import { TenantAudited, TenantTable } from '../kernel/tenant-table.js';
import { Access } from '../tenancy/access.js';
import { Connector } from './connector.js';
import { ConnectorRequestMove } from './connector-request-move.js';
import { ConnectorRequestStatus } from './connector-request-status.js';
import { PlatformVendor } from './platform-vendor.js';
import { PlatformVendorGrouping } from './platform-vendor-grouping.js';

/** What the catalog loses, the request forgets. */
const ofCatalog = { ref: true, nullable: true, deleteRule: 'set null' } as const;

@Shape('That a workspace misses a connector.')
@TenantTable({ orderBy: { createdAt: 'desc', id: 'asc' } })
@Index({ properties: ['tenantId', 'createdAt'] })
export class ConnectorRequest extends TenantAudited {
  @TextColumn('What is missed.')
  connectorName: string;

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
