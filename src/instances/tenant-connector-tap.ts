import type { Ref } from '@mikro-orm/core';
import { Index, ManyToOne, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { ConnectorTap } from '../catalog/model/connector-tap.js';
import { DeletedRows, DriftPolicy, TapRunMode } from '../catalog/model/table-mode.js';
import { AnnouncesChanges } from '../kernel/changes/change.js';
import {
  BooleanColumn,
  DateTimeColumn,
  EnumColumn,
  ExactJsonColumn,
  PlainObjectType,
  TextColumn,
} from '../kernel/entities/column-decorators.js';
import { Listed } from '../kernel/entities/listed.js';
import { TenantAudited, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import { Base62Id, IdColumn } from '../kernel/ids.js';
import { Access } from '../tenancy/access.js';
import {
  CATALOG_LOAD_INSERT_POLICY,
  CATALOG_LOAD_SELECT_POLICY,
  CATALOG_LOAD_UPDATE_POLICY,
} from './catalog-load-policies.js';
import { TenantConnectorInstance } from './tenant-connector-instance.js';

@PlainObjectType('A data stream of the workspace: a tap of a connection, or a tap published from a file.')
@TenantTable({
  orderBy: { name: 'asc', id: 'asc' },
  policies: [CATALOG_LOAD_SELECT_POLICY, CATALOG_LOAD_INSERT_POLICY, CATALOG_LOAD_UPDATE_POLICY],
  readsSettingOnce: true,
})
@Index({ properties: ['instance'] })
@Index({ name: 'tenant_connector_tap_active_index', properties: ['instance'], where: 'enabled and deleted_at is null' })
@Index({ properties: ['tenantId', 'attributedArtifactId'] })
@Unique({ properties: ['tenantId', 'tableName'] })
@Unique({ properties: ['instance', 'tap', 'objectName'] })
@AnnouncesChanges({ entity: 'TenantConnectorInstance', id: 'new.instance_id' })
@Listed({
  filters: ['name', 'enabled', 'tableName', 'instance', 'tap', 'attributedArtifactId', 'promotedAt', 'createdAt'],
  orders: ['name', 'tableName', 'createdAt', 'updatedAt'],
})
export class TenantConnectorTap extends TenantAudited {
  @Access('connectors:read')
  @Field(() => TenantConnectorInstance, {
    nullable: true,
    description: 'Connection of the tap. Null for a tap published from a file.',
  })
  @TenantRelation(() => TenantConnectorInstance, 'instance_id', { nullable: true })
  instance?: Ref<TenantConnectorInstance>;

  @Field(() => ConnectorTap, {
    nullable: true,
    description:
      'Tap definition in the catalog. Null for a tap published from a file. Also null if the definition was removed.',
  })
  @ManyToOne(() => ConnectorTap, { ref: true, nullable: true })
  @Index()
  tap?: Ref<ConnectorTap>;

  /** An empty string instead of null, because a unique constraint treats nulls as different values. */
  @Field(() => String, {
    nullable: true,
    description:
      'Name of the object at the source, for a tap that the service reads once per object. Null for other taps.',
  })
  @Property({ type: 'text', default: '' })
  objectName: string = '';

  @Field(() => Base62Id, {
    nullable: true,
    description: 'Id of the file that the tap was published from. Null for a tap of a connection.',
  })
  @Property({ type: IdColumn, nullable: true })
  attributedArtifactId?: string;

  @TextColumn(
    'Display name: the name of the tap definition, the `objectName`, or the name given at the publication of the file.',
  )
  name: string;

  @BooleanColumn('Whether syncs read the tap, and whether the tap accepts pushed records.')
  enabled: boolean;

  @EnumColumn(
    TapRunMode,
    'Mode that the workspace has chosen: how records change the table. Null for the default of the definition.',
    {
      nullable: true,
    },
  )
  mode?: TapRunMode;

  @EnumColumn(DeletedRows, 'In mode `upsert`, what happens to the rows of deleted records.', { default: 'remove' })
  deletedRows: DeletedRows = 'remove';

  @EnumColumn(DriftPolicy, 'What happens to records with fields for which the table has no column.', { default: 'add' })
  driftPolicy: DriftPolicy = 'add';

  @ExactJsonColumn(
    () => [String],
    'Fields that a person has refused. Under the drift policy `ask`, the service rejects records that contain any of these fields. Null if there are no such fields.',
    { nullable: true },
  )
  refusedFields?: string[];

  @DateTimeColumn(
    'Time at which the tap was reset. Null if the tap was not reset, or if a full read has replaced the rows since the reset.',
    {
      nullable: true,
    },
  )
  resetAt?: Date;

  @Field(() => Base62Id, {
    nullable: true,
    description:
      'Id of the tap whose table receives the records of this tap. Null if the workspace has not selected a tap.',
  })
  @Property({ type: IdColumn, nullable: true })
  @Index()
  feedsTapId?: string;

  @TextColumn('Name of the table in the workspace catalog, unique per workspace.')
  tableName: string;

  @DateTimeColumn(
    'Time at which the table was added to the workspace catalog. Null until the service has loaded or rejected rows.',
    { nullable: true },
  )
  promotedAt?: Date;

  @DateTimeColumn(
    'When the tap was deleted. Null if it was not deleted. Deleted taps appear only in lists with `includeDeleted`.',
    {
      nullable: true,
    },
  )
  deletedAt?: Date;
}
