import type { Ref } from '@mikro-orm/core';
import { Index, ManyToOne, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { ConnectorTap } from '../catalog/model/connector-tap.js';
import { BooleanColumn, DateTimeColumn, PlainObjectType, TextColumn } from '../kernel/entities/column-decorators.js';
import { TenantAudited, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import { Base62Id, IdColumn } from '../kernel/ids.js';
import { Access } from '../tenancy/access.js';
import {
  CATALOG_LOAD_INSERT_POLICY,
  CATALOG_LOAD_SELECT_POLICY,
  CATALOG_LOAD_UPDATE_POLICY,
} from './catalog-load-policies.js';
import { TenantConnectorInstance } from './tenant-connector-instance.js';

@PlainObjectType(
  'A data stream of the workspace: a tap of one of its connections, or one that was published from a file.',
)
@TenantTable({
  orderBy: { name: 'asc', id: 'asc' },
  policies: [CATALOG_LOAD_SELECT_POLICY, CATALOG_LOAD_INSERT_POLICY, CATALOG_LOAD_UPDATE_POLICY],
})
@Index({ properties: ['instance'] })
@Index({ properties: ['tenantId', 'attributedArtifactId'] })
@Unique({ properties: ['tenantId', 'tableName'] })
@Unique({ properties: ['instance', 'tap'] })
export class TenantConnectorTap extends TenantAudited {
  @Access('connectors:read')
  @Field(() => TenantConnectorInstance, {
    nullable: true,
    description: 'The connection that it is read by; missing where it was published from a file.',
  })
  @TenantRelation(() => TenantConnectorInstance, 'instance_id', { nullable: true })
  instance?: Ref<TenantConnectorInstance>;

  @Field(() => ConnectorTap, { nullable: true, description: 'Its definition.' })
  @ManyToOne(() => ConnectorTap, { ref: true, nullable: true })
  @Index()
  tap?: Ref<ConnectorTap>;

  @Field(() => Base62Id, { nullable: true, description: 'The file that it was published from.' })
  @Property({ type: IdColumn, nullable: true })
  attributedArtifactId?: string;

  @TextColumn('Name for people; at first that of the definition.')
  name: string;

  @BooleanColumn('Whether it is read.')
  enabled: boolean;

  @TextColumn('Name of its table in the workspace catalog, unique there.')
  tableName: string;

  @DateTimeColumn('When its table came into the workspace catalog.', { nullable: true })
  promotedAt?: Date;

  @DateTimeColumn('When it was deleted. Deleted taps appear only in lists with `includeDeleted`.', { nullable: true })
  deletedAt?: Date;
}
