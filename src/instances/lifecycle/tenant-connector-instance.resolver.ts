import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Connector } from '../../catalog/model/connector.js';
import type { ValidationErrorCode } from '../../catalog/model/credential-verification.js';
import { Base62Id } from '../../kernel/ids.js';
import type { ListSelection } from '../../kernel/reading/list-selection.js';
import { createPageType, ListOf, PageArgs, type PageOf, readPage, SelectedList } from '../../kernel/reading/paging.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { RequestContext } from '../../kernel/reading/request-context.js';
import { Access } from '../../tenancy/access.js';
import type { CredentialStatus } from '../credential-status.js';
import type { ConnectionContext } from '../credentials/connection-context.js';
import { findInstance } from '../find-instance.js';
import { type ParentDataFilter, parentDataFiltersOf } from '../parent-data-filter.js';
import { TenantConnectorInstance } from '../tenant-connector-instance.js';
import { hasValidCredentials, type TenantConnectorStatus } from '../tenant-connector-status.js';
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

/** At about 15 KB per connection, this number limits a response to 75 MB. */
const MAX_INSTANCES = 5_000;

@Resolver(() => TenantConnectorInstance)
export class TenantConnectorInstanceResolver {
  @Access('connectors:read', { otherwise: () => [] })
  @Query(() => [TenantConnectorInstance], {
    description:
      'Lists the connections of the workspace to a vendor, oldest first. The list is empty if the caller is not allowed to read connections. Without `limit`, returns all connections, or fails with BAD_REQUEST if there are more than 5,000.',
  })
  @ListOf(TenantConnectorInstance)
  tenantConnectorInstancesForVendor(
    @Args(() => InstancesForVendorArgs) { vendorSlug, limit, offset }: InstancesForVendorArgs,
    @SelectedList() selection: ListSelection,
    @Ctx() { read }: RequestContext,
  ): Promise<Row[]> {
    const page = { where: OF_VENDOR, limit, offset, selection, most: MAX_INSTANCES };
    return read.pageOrAll(TenantConnectorInstance, page, [vendorSlug]);
  }

  @Access('connectors:read', { otherwise: () => 0 })
  @Query(() => Int, {
    description:
      'Counts the connections of the workspace to a vendor. Returns 0 if the caller is not allowed to read connections.',
  })
  @ListOf(TenantConnectorInstance)
  tenantConnectorInstancesForVendorCount(
    @Arg('vendorSlug', () => String, { description: 'URL-friendly name of the vendor.' }) vendorSlug: string,
    @SelectedList() selection: ListSelection,
    @Ctx() { read }: RequestContext,
  ): Promise<number> {
    return read.count(TenantConnectorInstance, OF_VENDOR, [vendorSlug], selection);
  }

  @Access('connectors:read')
  @Query(() => TenantConnectorInstancePage, { description: 'Lists the connections of the workspace, oldest first.' })
  tenantConnectorInstances(
    @Args(() => PageArgs) page: PageArgs,
    @SelectedList() list: ListSelection,
    @Ctx() { read }: RequestContext,
  ): Promise<PageOf<TenantConnectorInstance>> {
    return readPage(read, TenantConnectorInstance, page, list, { where: NOT_DELETED });
  }

  @Access('connectors:read')
  @Query(() => TenantConnectorInstance, {
    nullable: true,
    description: 'Returns a connection. Null if it does not exist.',
  })
  tenantConnectorInstance(
    @Arg('id', () => Base62Id, { description: 'Id of the connection.' }) id: string,
    @Ctx() { read }: RequestContext,
  ): Promise<Row | undefined> {
    return findInstance(read, id);
  }

  @Access('connectors:write')
  @Mutation(() => TenantConnectorInstance, {
    description:
      'Creates a connection. A job tests the credentials of an outbound connection. The first verified delivery confirms the credentials of an inbound connection. `credentialMetadataId` is the id of the credential record that contains the result of the test. Errors: NOT_FOUND if an id does not exist, BAD_REQUEST for an invalid config, CONFLICT if the release status of the connector is `draft`, `in_review` or `archived`.',
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
      'Stores the credentials of a connection as a new credential record, which replaces the current record. A job tests the credentials, unless the test first requires a sign-in with the vendor or a first delivery from the sender. Errors: NOT_FOUND if the connection or the strategy does not exist, BAD_REQUEST for an invalid config, CONFLICT if another request has replaced the credentials.',
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
    description:
      'Renames, enables or disables a connection, or pauses or resumes its schedule. Omitted fields keep their value. Errors: NOT_FOUND if the connection does not exist.',
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
      'Deletes a connection: removes the connection and its taps from all lists, and deletes its secrets. The received data remains. Errors: NOT_FOUND if the connection does not exist.',
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
}
