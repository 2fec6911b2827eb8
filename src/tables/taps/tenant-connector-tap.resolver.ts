import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import { Base62Id, decodeId } from '../../kernel/ids.js';
import { createPageType, type PageOf } from '../../kernel/reading/paging.js';
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
const TenantConnectorTapPage = createPageType(TenantConnectorTap, 'TenantConnectorTapPage');

const ID = { description: 'Id of the tap.' };

/** A deleted tap can be added or published again, unless its connection was deleted. */
const CAN_BE_RESTORED = `instance_id is null or exists (
  select from tenant_connector_instance i
  where i.tenant_id = tenant_connector_tap.tenant_id and i.id = tenant_connector_tap.instance_id and i.deleted_at is null)`;

/** Taps of the workspace, whose fields are those of a lower floor; what becomes of them becomes of their tables. */
@Resolver(() => TenantConnectorTap)
export class TenantConnectorTapResolver {
  @Access('connectors:read')
  @Query(() => TenantConnectorTapPage, { description: 'Taps of the workspace by name.' })
  async tenantConnectorTaps(
    @Args(() => TenantConnectorTapsArgs) { instanceId, includeDeleted, limit, offset }: TenantConnectorTapsArgs,
    @Ctx() { read }: RequestContext,
  ): Promise<PageOf<TenantConnectorTap>> {
    const shown = includeDeleted ? `(deleted_at is null or ${CAN_BE_RESTORED})` : 'deleted_at is null';
    const where = instanceId ? `${shown} and instance_id = $1` : shown;
    const values = instanceId ? [decodeId(instanceId)] : [];
    const [items, total] = await Promise.all([
      read.select(TenantConnectorTap, { where, limit, offset }, values),
      read.count(TenantConnectorTap, where, values),
    ]);
    return { items, limit, offset, total };
  }

  @Access('connectors:read')
  @Query(() => TenantConnectorTap, { nullable: true, description: 'One tap; null where there is none.' })
  tenantConnectorTap(
    @Arg('id', () => Base62Id, ID) id: string,
    @Ctx() { read }: RequestContext,
  ): Promise<Row | undefined> {
    return findTap(read, id);
  }

  @Access('taps:write')
  @Mutation(() => TenantConnectorTap, {
    description:
      'Adds a tap of its connector to a connection. A tap that was deleted returns with its id and its table. CONFLICT if the connection has the tap, NOT_FOUND if the connection does not exist or its connector has no such tap.',
  })
  async addTenantConnectorTap(
    @Args(() => AddTenantConnectorTapArgs) args: AddTenantConnectorTapArgs,
    @Ctx() { read, write, tableServices: landed }: TableContext,
  ): Promise<Row> {
    return readTap(read, await write((tx) => addTenantConnectorTap(tx, landed, args)));
  }

  @Access('taps:write')
  @Mutation(() => TenantConnectorTap, { description: 'Enables or disables a tap. NOT_FOUND where there is none.' })
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
      'Deletes a tap: its table leaves the workspace catalog, its ingest tokens no longer open, its rows stay. NOT_FOUND where there is none.',
  })
  async deleteTenantConnectorTap(
    @Arg('id', () => Base62Id, ID) id: string,
    @Ctx() { write, tableServices: landed }: TableContext,
  ): Promise<boolean> {
    await write((tx) => deleteTenantConnectorTap(tx, landed.hooks, id));
    return true;
  }

  @Access('artifacts:publish')
  @Mutation(() => TenantConnectorTap, {
    description:
      'Makes a tap of a CSV file whose types an inference has found; a job brings its rows into the table. CONFLICT where the file is no such one or was published already, NOT_FOUND where there is none.',
  })
  async publishArtifact(
    @Args(() => PublishArtifactArgs) args: PublishArtifactArgs,
    @Ctx() { read, write, tableServices: landed }: TableContext,
  ): Promise<Row> {
    return readTap(read, await write((tx) => publishArtifact(tx, landed.jobs, args)));
  }

  @Access('workspace')
  @FieldResolver(() => Publication, {
    nullable: true,
    description: 'How far its file is on its way into the table; missing where it was not published from a file.',
  })
  async publication(@Root() { id }: Row, @Ctx() { read }: RequestContext): Promise<Lean<Publication> | undefined> {
    return (await read.many(Publication, 'tap', id))[0];
  }

  @Access('catalog:read')
  @FieldResolver(() => CatalogTable, {
    nullable: true,
    description: 'Its table in the workspace catalog; missing until the first rows are there.',
  })
  table(@Root() tap: Row, @Ctx() { read }: RequestContext): Promise<Lean<CatalogTable> | undefined> {
    return findTableOfTap(read, tap);
  }
}
