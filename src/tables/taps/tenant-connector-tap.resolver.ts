import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import { Base62Id, decodeId } from '../../kernel/ids.js';
import type { ListSelection } from '../../kernel/reading/list-selection.js';
import { createPageType, type PageOf, readPage, SelectedList } from '../../kernel/reading/paging.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { RequestContext } from '../../kernel/reading/request-context.js';
import { Access } from '../../tenancy/access.js';
import type { WorkspaceContext } from '../../tenancy/workspace-context.js';
import { CatalogTable } from '../catalog-table.js';
import { findTableOfTap } from '../existing-table.js';
import { findTap, readTap } from '../existing-tap.js';
import { Publication } from '../publications/publication.js';
import { publishArtifact } from '../publications/publish-artifact.js';
import type { TableContext } from '../table-context.js';
import {
  AddTenantConnectorTapArgs,
  PublishArtifactArgs,
  TenantConnectorTapsArgs,
  UpdateTenantConnectorTapArgs,
} from '../tenant-connector-tap.inputs.js';
import { addTenantConnectorTap } from './add-tenant-connector-tap.js';
import { deleteTenantConnectorTap } from './delete-tenant-connector-tap.js';
import { updateTenantConnectorTap } from './update-tenant-connector-tap.js';

type Row = Lean<TenantConnectorTap>;
export const TenantConnectorTapPage = createPageType(TenantConnectorTap, 'TenantConnectorTapPage');

const ID = { description: 'Id of the tap.' };

/**
 * SQL condition for deleted taps that a caller can restore by adding or publishing them again: all except the taps of
 * deleted connections.
 */
const CAN_BE_RESTORED = `instance_id is null or exists (
  select from tenant_connector_instance i
  where i.tenant_id = tenant_connector_tap.tenant_id and i.id = tenant_connector_tap.instance_id and i.deleted_at is null)`;

/** The entity is in `instances`, but changes to taps affect tables, so the resolver belongs to this domain. */
@Resolver(() => TenantConnectorTap)
export class TenantConnectorTapResolver {
  @Access('connectors:read')
  @Query(() => TenantConnectorTapPage, { description: 'Taps of the workspace, ordered by name.' })
  tenantConnectorTaps(
    @Args(() => TenantConnectorTapsArgs) { instanceId, includeDeleted, ...page }: TenantConnectorTapsArgs,
    @SelectedList() list: ListSelection,
    @Ctx() { read }: RequestContext,
  ): Promise<PageOf<TenantConnectorTap>> {
    const shown = includeDeleted ? `(deleted_at is null or ${CAN_BE_RESTORED})` : 'deleted_at is null';
    const where = instanceId ? `${shown} and instance_id = $1` : shown;
    const values = instanceId ? [decodeId(instanceId)] : [];
    return readPage(read, TenantConnectorTap, page, list, { where, values });
  }

  @Access('connectors:read')
  @Query(() => TenantConnectorTap, { nullable: true, description: 'A tap by id. Null if it does not exist.' })
  tenantConnectorTap(
    @Arg('id', () => Base62Id, ID) id: string,
    @Ctx() { read }: RequestContext,
  ): Promise<Row | undefined> {
    return findTap(read, id);
  }

  @Access('taps:write')
  @Mutation(() => TenantConnectorTap, {
    description:
      'Adds a tap of the connector to a connection. If the tap was deleted from the connection, the service restores it with its id and its table. BAD_REQUEST if `objectName` is missing for a tap that the service reads once per object, or given for any other tap. CONFLICT if the connection already has the tap. NOT_FOUND if the connection does not exist or its connector has no such tap.',
  })
  async addTenantConnectorTap(
    @Args(() => AddTenantConnectorTapArgs) args: AddTenantConnectorTapArgs,
    @Ctx() { read, write, tableServices }: TableContext,
  ): Promise<Row> {
    return readTap(read, await write((tx) => addTenantConnectorTap(tx, tableServices, args)));
  }

  @Access('taps:write')
  @Mutation(() => TenantConnectorTap, {
    description:
      'Changes a tap: enables or disables it, selects the table that receives its records, or sets how records, deletions and new fields change this table. Omitted fields keep their value. CONFLICT if the definition, the rows of the table, a feeding tap or an open sync does not allow the new `mode` or `feedsTapId`. NOT_FOUND if the tap does not exist.',
  })
  async updateTenantConnectorTap(
    @Args(() => UpdateTenantConnectorTapArgs) args: UpdateTenantConnectorTapArgs,
    @Ctx() { read, write }: WorkspaceContext,
  ): Promise<Row> {
    await write((tx) => updateTenantConnectorTap(tx, args));
    return readTap(read, args.id);
  }

  @Access('taps:delete')
  @Mutation(() => Boolean, {
    description:
      'Deletes a tap. Removes its table from the workspace catalog, and revokes its ingest tokens. The rows remain in the file store. NOT_FOUND if the tap does not exist.',
  })
  async deleteTenantConnectorTap(
    @Arg('id', () => Base62Id, ID) id: string,
    @Ctx() { write, tableServices }: TableContext,
  ): Promise<boolean> {
    await write((tx) => deleteTenantConnectorTap(tx, tableServices.hooks, id));
    return true;
  }

  @Access('artifacts:publish')
  @Mutation(() => TenantConnectorTap, {
    description:
      'Publishes a CSV file as a tap with a table. A job loads the rows. CONFLICT if the file is not a CSV file or is already published, or if its latest schema inference has not succeeded. NOT_FOUND if the file does not exist. `WA-AF-031` if the file lacks one of the `columns`, if two items of `columns` have the same `name`, or if a type is incomplete or invalid.',
  })
  async publishArtifact(
    @Args(() => PublishArtifactArgs) args: PublishArtifactArgs,
    @Ctx() { read, write, tableServices }: TableContext,
  ): Promise<Row> {
    return readTap(read, await write((tx) => publishArtifact(tx, tableServices.jobs, args)));
  }

  @FieldResolver()
  objectName(@Root() { objectName }: Row): string | undefined {
    return objectName || undefined;
  }

  @Access('workspace')
  @FieldResolver(() => Publication, {
    nullable: true,
    description: 'Progress of the publication. Null if the tap was not published from a file.',
  })
  async publication(@Root() { id }: Row, @Ctx() { read }: RequestContext): Promise<Lean<Publication> | undefined> {
    return (await read.many(Publication, 'tap', id))[0];
  }

  @Access('catalog:read')
  @FieldResolver(() => CatalogTable, {
    nullable: true,
    description: 'Table of the tap in the workspace catalog. Null until the service has loaded or rejected rows.',
  })
  table(@Root() tap: Row, @Ctx() { read }: RequestContext): Promise<Lean<CatalogTable> | undefined> {
    return findTableOfTap(read, tap);
  }
}
