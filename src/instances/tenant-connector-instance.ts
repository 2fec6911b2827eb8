import { Collection, type Ref } from '@mikro-orm/core';
import { Index, ManyToOne, OneToMany, Property } from '@mikro-orm/decorators/legacy';
import { Extensions, Field } from 'type-graphql';
import { Connector } from '../catalog/model/connector.js';
import { ConnectorAuthStrategy } from '../catalog/model/connector-auth-strategy.js';
import { ValidationErrorCode } from '../catalog/model/credential-verification.js';
import { InboundAuthStrategy } from '../catalog/model/inbound-auth-strategy.js';
import { PlatformVendorGrouping } from '../catalog/model/platform-vendor-grouping.js';
import { AnnouncesChanges } from '../kernel/changes/change.js';
import {
  BooleanColumn,
  DateTimeColumn,
  EnumColumn,
  JsonColumn,
  PlainObjectType,
  TextColumn,
} from '../kernel/entities/column-decorators.js';
import { Listed } from '../kernel/entities/listed.js';
import { JsonObject } from '../kernel/entities/scalars.js';
import { TenantAudited, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import { Base62Id } from '../kernel/ids.js';
import { Access } from '../tenancy/access.js';
import { CATALOG_LOAD_SELECT_POLICY } from './catalog-load-policies.js';
import { connectionStatusCondition } from './connection-status-sql.js';
import { CredentialMetadata } from './credential-metadata.js';
import { CredentialStatus } from './credential-status.js';
import { ParentDataFilter } from './parent-data-filter.js';
import { SyncJobStatus } from './sync-job-status.js';
import { NEVER_SYNCED, type SyncState } from './sync-state.js';
import { TenantConnectorStatus } from './tenant-connector-status.js';
import { TenantConnectorTap } from './tenant-connector-tap.js';

@PlainObjectType('A configured connector of the workspace.')
@TenantTable({
  orderBy: { createdAt: 'asc', id: 'asc' },
  policies: [CATALOG_LOAD_SELECT_POLICY],
  readsSettingOnce: true,
})
@Index({ properties: ['tenantId', 'createdAt', 'id'] })
@Index({
  name: 'tenant_connector_instance_deleted_index',
  properties: ['tenantId', 'id'],
  where: 'deleted_at is not null',
})
@AnnouncesChanges()
@Listed({
  filters: [
    'name',
    'enabled',
    'schedulePaused',
    'lastSyncStatus',
    'lastSyncAt',
    'createdAt',
    'updatedAt',
    'grouping',
    'connector',
  ],
  computed: { connectionStatus: connectionStatusCondition },
  orders: ['name', 'createdAt', 'updatedAt', 'lastSyncAt'],
})
export class TenantConnectorInstance extends TenantAudited {
  @Field(() => PlatformVendorGrouping, { description: 'Grouping that offers the connector.' })
  @ManyToOne(() => PlatformVendorGrouping, { ref: true })
  @Index()
  grouping: Ref<PlatformVendorGrouping>;

  @Field(() => Connector, { description: 'Connector definition.' })
  @ManyToOne(() => Connector, { ref: true })
  @Index()
  connector: Ref<Connector>;

  @Field(() => ConnectorAuthStrategy, {
    nullable: true,
    description: 'Authentication strategy. Null for an inbound connection.',
  })
  @ManyToOne(() => ConnectorAuthStrategy, { ref: true, nullable: true })
  @Index()
  authenticationStrategy?: Ref<ConnectorAuthStrategy>;

  @Field(() => InboundAuthStrategy, {
    nullable: true,
    description:
      'Strategy that verifies senders of pushed records. Null for an outbound connection. Also null until a strategy is chosen.',
  })
  @ManyToOne(() => InboundAuthStrategy, { ref: true, nullable: true, deleteRule: 'no action' })
  @Index()
  inboundAuthStrategy?: Ref<InboundAuthStrategy>;

  @TextColumn('Display name.', { nullable: true })
  name?: string;

  @JsonColumn(() => JsonObject, 'Submitted authentication config. Secrets are replaced by empty strings.', {
    nullable: true,
  })
  authenticationConfig?: Record<string, unknown>;

  @JsonColumn(() => JsonObject, 'Submitted ingestion config, which selects the data to read.', { nullable: true })
  ingestionConfig?: Record<string, unknown>;

  @BooleanColumn(
    'Whether the connection is enabled. The service does not sync a disabled connection, and rejects records that senders push to it.',
  )
  enabled: boolean = true;

  @BooleanColumn('Whether scheduled syncs are paused. An external runner should not read a paused connection.')
  schedulePaused: boolean = false;

  @DateTimeColumn(
    'Time at which the latest sync ended, not counting cancelled syncs. Null if no such sync has ended.',
    {
      nullable: true,
    },
  )
  lastSyncAt?: Date;

  @EnumColumn(SyncJobStatus, 'Status of the latest sync. Null if the connection has no sync.', { nullable: true })
  lastSyncStatus?: SyncJobStatus;

  /**
   * Summary of the sync jobs, for lists of connections. The column is `jsonb`, because PostgreSQL would
   * parse `json` for each row when a query filters by status.
   */
  @Property({ type: 'json', columnType: 'jsonb' })
  sync: SyncState = NEVER_SYNCED;

  /**
   * Whether the table of at least one tap of the connection fails a quality gate. The domain `quality` writes this
   * value.
   */
  @Property({ type: 'boolean', default: false })
  isDegraded: boolean = false;

  @Access('credentials:read')
  @Field(() => CredentialMetadata, {
    description: 'Current credential record. Null without credentials.',
    nullable: true,
  })
  @TenantRelation(() => CredentialMetadata, 'credential_id', { nullable: true })
  credential?: Ref<CredentialMetadata>;

  @Property({ type: 'datetime', length: 3, nullable: true })
  deletedAt?: Date;

  @Field(() => TenantConnectorStatus, { description: 'Status of the connection.' })
  connectionStatus: TenantConnectorStatus;

  @Field({ description: 'Description of the status and the next step, in English.' })
  connectionStatusMessage: string;

  @Field({
    description:
      'Whether the current credentials passed their test and have not expired. Also true if the connector requires no credentials.',
  })
  hasValidCredentials: boolean;

  @Extensions({ showsNull: true })
  @Field(() => ValidationErrorCode, {
    nullable: true,
    description:
      'Error code of the latest credential test. Null if the test has no error code, for example because it succeeded. `credentialStatus` contains the result of the last conclusive test.',
  })
  credentialErrorCode?: ValidationErrorCode;

  @Field(() => Base62Id, {
    nullable: true,
    description:
      'Id of the current credential record. `validateCredentials` requires this id. Null without credentials.',
  })
  credentialMetadataId?: string;

  @Field(() => CredentialStatus, {
    nullable: true,
    description: 'Status of the current credentials. Null without credentials.',
  })
  credentialStatus?: CredentialStatus;

  @Field(() => [ParentDataFilter], {
    nullable: true,
    description: 'Conditions on parent records. Syncs read child records only of parents that meet all conditions.',
  })
  parentDataFilters?: ParentDataFilter[];

  @Access('connectors:read')
  @Field(() => [TenantConnectorTap], { description: 'Taps of the connection, ordered by name.' })
  @OneToMany(
    () => TenantConnectorTap,
    (tap) => tap.instance,
  )
  taps = new Collection<TenantConnectorTap>(this);
}
