import type { Ref } from '@mikro-orm/core';
import { Index, ManyToOne, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { ConnectorTap } from '../catalog/connector-tap.js';
import { BooleanColumn, DateTimeColumn, Shape, TextColumn } from '../kernel/columns.js';
import { Base62Id, IdColumn } from '../kernel/ids.js';
import { TenantAudited, TenantRelation, TenantTable } from '../kernel/tenant-table.js';
import { Access } from '../tenancy/access.js';
import { ADD_BY_LOAD, LINK_BY_LOAD, READ_BY_LOAD } from './catalog-load.js';
import { TenantConnectorInstance } from './tenant-connector-instance.js';

@Shape('A data stream of the workspace: a tap of one of its connections, or one that was published from a file.')
@TenantTable({ orderBy: { name: 'asc', id: 'asc' }, policies: [READ_BY_LOAD, ADD_BY_LOAD, LINK_BY_LOAD] })
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
