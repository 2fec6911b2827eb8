import { Collection, type Ref } from '@mikro-orm/core';
import { Index, ManyToOne, OneToMany, Property } from '@mikro-orm/decorators/legacy';
import { Extensions, Field } from 'type-graphql';
import { Connector } from '../catalog/model/connector.js';
import { ConnectorAuthStrategy } from '../catalog/model/connector-auth-strategy.js';
import { ValidationErrorCode } from '../catalog/model/credential-verification.js';
import { InboundAuthStrategy } from '../catalog/model/inbound-auth-strategy.js';
import { PlatformVendorGrouping } from '../catalog/model/platform-vendor-grouping.js';
import {
  BooleanColumn,
  DateTimeColumn,
  EnumColumn,
  JsonColumn,
  PlainObjectType,
  TextColumn,
} from '../kernel/entities/column-decorators.js';
import { JsonObject } from '../kernel/entities/scalars.js';
import { TenantAudited, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import { Base62Id } from '../kernel/ids.js';
import { Access } from '../tenancy/access.js';
import { CATALOG_LOAD_SELECT_POLICY } from './catalog-load-policies.js';
import { CredentialMetadata } from './credential-metadata.js';
import { CredentialStatus } from './credential-status.js';
import { ParentDataFilter } from './parent-data-filter.js';
import { SyncJob } from './sync-job.js';
import { SyncJobStatus } from './sync-job-status.js';
import { NEVER_SYNCED, type SyncState } from './sync-state.js';
import { TenantConnectorStatus } from './tenant-connector-status.js';
import { TenantConnectorTap } from './tenant-connector-tap.js';

@PlainObjectType('A configured connector of the workspace.')
@TenantTable({ orderBy: { createdAt: 'asc', id: 'asc' }, policies: [CATALOG_LOAD_SELECT_POLICY] })
export class TenantConnectorInstance extends TenantAudited {
  @Field(() => PlatformVendorGrouping, { description: 'What of the vendor it was configured from.' })
  @ManyToOne(() => PlatformVendorGrouping, { ref: true })
  @Index()
  grouping: Ref<PlatformVendorGrouping>;

  @Field(() => Connector, { description: 'The definition that it follows.' })
  @ManyToOne(() => Connector, { ref: true })
  @Index()
  connector: Ref<Connector>;

  @Field(() => ConnectorAuthStrategy, {
    nullable: true,
    description: 'How it authenticates; absent for a connection that is pushed to.',
  })
  @ManyToOne(() => ConnectorAuthStrategy, { ref: true, nullable: true })
  @Index()
  authenticationStrategy?: Ref<ConnectorAuthStrategy>;

  @Field(() => InboundAuthStrategy, {
    nullable: true,
    description:
      'How the service verifies senders of pushed records; absent for a connection that is read, and until a strategy is chosen.',
  })
  @ManyToOne(() => InboundAuthStrategy, { ref: true, nullable: true, deleteRule: 'no action' })
  @Index()
  inboundAuthStrategy?: Ref<InboundAuthStrategy>;

  @TextColumn('Label for people.', { nullable: true })
  name?: string;

  @JsonColumn(() => JsonObject, 'What was submitted, each secret as an empty text.', { nullable: true })
  authenticationConfig?: Record<string, unknown>;

  @JsonColumn(() => JsonObject, 'What is read, as it was submitted.', { nullable: true })
  ingestionConfig?: Record<string, unknown>;

  @BooleanColumn('Whether it is in use.')
  enabled: boolean = true;

  @BooleanColumn('Whether runners leave it out for the time being.')
  schedulePaused: boolean = false;

  @DateTimeColumn('When a sync ended last.', { nullable: true })
  lastSyncAt?: Date;

  @EnumColumn(SyncJobStatus, 'How the sync that was reported last is.', { nullable: true })
  lastSyncStatus?: SyncJobStatus;

  /** Kept beside the jobs, so that a list of connections does not read them. */
  @Property({ type: 'json', columnType: 'json' })
  sync: SyncState = NEVER_SYNCED;

  /** Whether a table of its taps fails a gate of quality that says so. Kept here by the one who knows. */
  @Property({ type: 'boolean', default: false })
  isDegraded: boolean = false;

  /** The current one. */
  @TenantRelation(() => CredentialMetadata, 'credential_id', { nullable: true })
  credential?: Ref<CredentialMetadata>;

  @Property({ type: 'datetime', length: 3, nullable: true })
  deletedAt?: Date;

  @Field(() => TenantConnectorStatus, { description: 'How it is.' })
  connectionStatus: TenantConnectorStatus;

  @Field({ description: 'The same in a sentence, and what to do next.' })
  connectionStatusMessage: string;

  @Field({ description: 'Whether the current credentials passed their test and have not ended.' })
  hasValidCredentials: boolean;

  @Extensions({ showsNull: true })
  @Field(() => ValidationErrorCode, {
    nullable: true,
    description:
      'Error code of the latest credential test; null if it succeeded or was inconclusive without a code. `credentialStatus` and the credential detail keep what the last conclusive test found.',
  })
  credentialErrorCode?: ValidationErrorCode;

  @Field(() => Base62Id, { nullable: true, description: 'The current credential record; asked for its test.' })
  credentialMetadataId?: string;

  @Field(() => CredentialStatus, { nullable: true, description: 'What is known of that record.' })
  credentialStatus?: CredentialStatus;

  @Field(() => [ParentDataFilter], {
    nullable: true,
    description: 'Conditions on parent records; children of the others are not read.',
  })
  parentDataFilters?: ParentDataFilter[];

  @Access('connectors:read')
  @Field(() => [TenantConnectorTap], { description: 'Its taps in the workspace, by name.' })
  @OneToMany(
    () => TenantConnectorTap,
    (tap) => tap.instance,
  )
  taps = new Collection<TenantConnectorTap>(this);

  @Access('credentials:read')
  @Field(() => [CredentialMetadata], { description: 'Its latest 50 credential records, the newest first.' })
  credentials: CredentialMetadata[];

  @Access('connectors:read')
  @Field(() => [SyncJob], { description: 'Its latest 50 sync jobs, the newest first.' })
  syncJobs: SyncJob[];
}
