import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Connector } from '../../catalog/model/connector.js';
import type { ValidationErrorCode } from '../../catalog/model/credential-verification.js';
import { Base62Id } from '../../kernel/ids.js';
import { createPageType, HISTORY_LIMIT, PageArgs, type PageOf } from '../../kernel/reading/paging.js';
import type { Lean, MaybePromise } from '../../kernel/reading/reader.js';
import type { RequestContext } from '../../kernel/reading/request-context.js';
import { Access } from '../../tenancy/access.js';
import { CredentialMetadata } from '../credential-metadata.js';
import type { CredentialStatus } from '../credential-status.js';
import type { ConnectionContext } from '../credentials/connection-context.js';
import { findInstance } from '../find-instance.js';
import { type ParentDataFilter, parentDataFiltersOf } from '../parent-data-filter.js';
import { SyncJob } from '../sync-job.js';
import { TenantConnectorInstance } from '../tenant-connector-instance.js';
import { hasValidCredentials, type TenantConnectorStatus } from '../tenant-connector-status.js';
import type { TenantConnectorTap } from '../tenant-connector-tap.js';
import { configureConnectorInstance } from './configure-connector-instance.js';
import {
  ConfigureConnectorInstanceArgs,
  CreateConnectorInstanceArgs,
  InstancesForVendorArgs,
  UpdateConnectorInstanceArgs,
} from './connector-instance.inputs.js';
import { createConnectorInstance } from './create-connector-instance.js';
import { deleteConnectorInstance } from './delete-connector-instance.js';
import {
  readActiveTaps,
  readConnectionStatus,
  readCredentialState,
  readCurrentCredential,
  readLatestErrorCode,
} from './read-connection-status.js';
import { updateConnectorInstance } from './update-connector-instance.js';

type Row = Lean<TenantConnectorInstance>;
const TenantConnectorInstancePage = createPageType(TenantConnectorInstance, 'TenantConnectorInstancePage');

const NOT_DELETED = 'deleted_at is null';
const OF_VENDOR = `${NOT_DELETED} and grouping_id in (
  select grouping.id from platform_vendor_grouping as grouping
  join platform_vendor as vendor on vendor.id = grouping.vendor_id where vendor.slug = $1
)`;

/** Connections in a complete list. A reply has about 15 KB for each: 75 MB. */
const MAX_INSTANCES = 5_000;

@Resolver(() => TenantConnectorInstance)
export class TenantConnectorInstanceResolver {
  @Access('connectors:read', { otherwise: () => [] })
  @Query(() => [TenantConnectorInstance], {
    description:
      'Connections of the workspace to a vendor, the oldest first; none if the caller may not see them. Without `limit` all of them: BAD_REQUEST beyond 5,000, which are read in pages.',
  })
  tenantConnectorInstancesForVendor(
    @Args(() => InstancesForVendorArgs) { vendorSlug, limit, offset }: InstancesForVendorArgs,
    @Ctx() { read }: RequestContext,
  ): Promise<Row[]> {
    const part = { where: OF_VENDOR, offset };
    return limit
      ? read.select(TenantConnectorInstance, { ...part, limit }, [vendorSlug])
      : read.all(TenantConnectorInstance, { ...part, most: MAX_INSTANCES }, [vendorSlug]);
  }

  @Access('connectors:read', { otherwise: () => 0 })
  @Query(() => Int, {
    description: 'Number of connections of the workspace to a vendor; 0 if the caller may not see them.',
  })
  tenantConnectorInstancesForVendorCount(
    @Arg('vendorSlug', () => String, { description: 'URL-friendly name of the vendor.' }) vendorSlug: string,
    @Ctx() { read }: RequestContext,
  ): Promise<number> {
    return read.count(TenantConnectorInstance, OF_VENDOR, [vendorSlug]);
  }

  @Access('connectors:read')
  @Query(() => TenantConnectorInstancePage, { description: 'Connections of the workspace, the oldest first.' })
  async tenantConnectorInstances(
    @Args(() => PageArgs) { limit, offset }: PageArgs,
    @Ctx() { read }: RequestContext,
  ): Promise<PageOf<TenantConnectorInstance>> {
    const [items, total] = await Promise.all([
      read.select(TenantConnectorInstance, { where: NOT_DELETED, limit, offset }),
      read.count(TenantConnectorInstance, NOT_DELETED),
    ]);
    return { items, limit, offset, total };
  }

  @Access('connectors:read')
  @Query(() => TenantConnectorInstance, { nullable: true, description: 'One connection; null where there is none.' })
  tenantConnectorInstance(
    @Arg('id', () => Base62Id, { description: 'Id of the connection.' }) id: string,
    @Ctx() { read }: RequestContext,
  ): Promise<Row | undefined> {
    return findInstance(read, id);
  }

  @Access('connectors:write')
  @Mutation(() => TenantConnectorInstance, {
    description:
      'Connects a source. The credentials are sealed and tested by a job, or by the first delivery where it is sent to; `credentialMetadataId` names the record to ask about it. NOT_FOUND for an id that names nothing, BAD_REQUEST for a config that does not fit.',
  })
  async createConnectorInstance(
    @Args(() => CreateConnectorInstanceArgs) args: CreateConnectorInstanceArgs,
    @Ctx() context: ConnectionContext,
  ): Promise<Row | undefined> {
    return findInstance(context.read, await createConnectorInstance(context, args));
  }

  @Access('connectors:write')
  @Mutation(() => TenantConnectorInstance, {
    description:
      'Takes credentials of a connection anew, as a new record that is tested by a job. CONFLICT where somebody else did meanwhile.',
  })
  async configureConnectorInstance(
    @Args(() => ConfigureConnectorInstanceArgs) args: ConfigureConnectorInstanceArgs,
    @Ctx() context: ConnectionContext,
  ): Promise<Row | undefined> {
    await configureConnectorInstance(context, args);
    return findInstance(context.read, args.instanceId);
  }

  @Access('connectors:write')
  @Mutation(() => TenantConnectorInstance, {
    description: 'Renames a connection, or switches it or its schedule on or off. NOT_FOUND where there is none.',
  })
  async updateConnectorInstance(
    @Args(() => UpdateConnectorInstanceArgs) args: UpdateConnectorInstanceArgs,
    @Ctx() { read, write }: ConnectionContext,
  ): Promise<Row | undefined> {
    await write((tx) => updateConnectorInstance(tx, args));
    return findInstance(read, args.id);
  }

  @Access('connectors:write')
  @Mutation(() => Boolean, {
    description:
      'Disconnects: connection and taps leave every list, the secrets are destroyed, the data stays. NOT_FOUND where there is none.',
  })
  async deleteConnectorInstance(
    @Arg('id', () => Base62Id, { description: 'Id of the connection.' }) id: string,
    @Ctx() { write, connections }: ConnectionContext,
  ): Promise<boolean> {
    await write((tx) => deleteConnectorInstance(tx, connections.secrets, id));
    return true;
  }

  @FieldResolver()
  async connectionStatus(@Root() row: Row, @Ctx() { read }: RequestContext): Promise<TenantConnectorStatus> {
    return (await readConnectionStatus(read, row)).status;
  }

  @FieldResolver()
  async connectionStatusMessage(@Root() row: Row, @Ctx() { read }: RequestContext): Promise<string> {
    return (await readConnectionStatus(read, row)).message;
  }

  @FieldResolver()
  async hasValidCredentials(@Root() row: Row, @Ctx() { read }: RequestContext): Promise<boolean> {
    return hasValidCredentials(await readCredentialState(read, row), Date.now());
  }

  @FieldResolver()
  credentialErrorCode(@Root() row: Row, @Ctx() { read }: RequestContext): Promise<ValidationErrorCode | undefined> {
    return readLatestErrorCode(read, row);
  }

  @FieldResolver()
  credentialMetadataId(@Root() { credential }: Row): string | undefined {
    return credential;
  }

  @FieldResolver()
  async credentialStatus(@Root() row: Row, @Ctx() { read }: RequestContext): Promise<CredentialStatus | undefined> {
    return (await readCurrentCredential(read, row))?.status;
  }

  @FieldResolver()
  async parentDataFilters(@Root() { connector }: Row, @Ctx() { read }: RequestContext): Promise<ParentDataFilter[]> {
    return parentDataFiltersOf((await read.byId(Connector, connector))?.traversal);
  }

  @FieldResolver()
  taps(@Root() row: Row, @Ctx() { read }: RequestContext): Promise<Lean<TenantConnectorTap>[]> {
    return readActiveTaps(read, row);
  }

  @FieldResolver()
  credentials(@Root() { id }: Row, @Ctx() { read }: RequestContext): MaybePromise<Lean<CredentialMetadata>[]> {
    return read.latest(CredentialMetadata, 'instance', id, HISTORY_LIMIT);
  }

  @FieldResolver()
  syncJobs(@Root() { id }: Row, @Ctx() { read }: RequestContext): MaybePromise<Lean<SyncJob>[]> {
    return read.latest(SyncJob, 'instance', id, HISTORY_LIMIT);
  }
}
