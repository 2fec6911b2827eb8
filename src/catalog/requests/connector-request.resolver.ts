import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Base62Id } from '../../kernel/ids.js';
import type { ListSelection } from '../../kernel/reading/list-selection.js';
import { createPageType, PageArgs, type PageOf, readPage, SelectedList } from '../../kernel/reading/paging.js';
import type { Lean, MaybePromise } from '../../kernel/reading/reader.js';
import { Access } from '../../tenancy/access.js';
import type { WorkspaceContext } from '../../tenancy/workspace-context.js';
import { ConnectorRequestArgs, ConnectorRequestMoveArgs } from './connector-request.inputs.js';
import { ConnectorRequest } from './connector-request.js';
import { createConnectorRequest } from './create-connector-request.js';
import { moveConnectorRequest } from './move-connector-request.js';

type Row = Lean<ConnectorRequest>;
const ConnectorRequestPage = createPageType(ConnectorRequest, 'ConnectorRequestPage');

@Resolver(() => ConnectorRequest)
export class ConnectorRequestResolver {
  @Access('connector_requests:read')
  @Query(() => ConnectorRequest, {
    nullable: true,
    description: 'Returns one connector request, or null if it does not exist.',
  })
  connectorRequest(
    @Arg('id', () => Base62Id, { description: 'Id of the connector request.' }) id: string,
    @Ctx() { read }: WorkspaceContext,
  ): MaybePromise<Row | undefined> {
    return read.byId(ConnectorRequest, id);
  }

  @Access('connector_requests:read')
  @Query(() => ConnectorRequestPage, { description: 'Lists the connector requests of the workspace, newest first.' })
  connectorRequests(
    @Args(() => PageArgs) page: PageArgs,
    @SelectedList() list: ListSelection,
    @Ctx() { read }: WorkspaceContext,
  ): Promise<PageOf<ConnectorRequest>> {
    return readPage(read, ConnectorRequest, page, list);
  }

  @Access('connector_requests:write')
  @Mutation(() => ConnectorRequest, {
    description:
      'Creates a request for a connector. If an open request has the same name (case-insensitive), appends `notes` to that request and returns that request. Fails with CONFLICT if the notes would exceed 4,000 characters in total.',
  })
  async createConnectorRequest(
    @Args(() => ConnectorRequestArgs) wanted: ConnectorRequestArgs,
    @Ctx() { read, write }: WorkspaceContext,
  ): Promise<Row | undefined> {
    const { id } = await write((tx) => createConnectorRequest(tx, wanted));
    return read.byId(ConnectorRequest, id);
  }

  @Access('connector_requests:move')
  @Mutation(() => ConnectorRequest, {
    description:
      'Changes the status of a connector request. The order is `pending`, `under_review`, `accepted`, `in_progress`, `completed`. Every status before `completed` may also change to `declined` or `duplicate`. Fails with CONFLICT for any other change, and with NOT_FOUND if the request does not exist.',
  })
  async moveConnectorRequest(
    @Args(() => ConnectorRequestMoveArgs) move: ConnectorRequestMoveArgs,
    @Ctx() { read, write }: WorkspaceContext,
  ): Promise<Row | undefined> {
    await write((tx) => moveConnectorRequest(tx, move));
    return read.byId(ConnectorRequest, move.id);
  }

  @FieldResolver()
  resolvedGroupingId(@Root() { resolvedGrouping }: Row): string | undefined {
    return resolvedGrouping;
  }

  @FieldResolver()
  resolvedVendorId(@Root() { resolvedVendor }: Row): string | undefined {
    return resolvedVendor;
  }

  @FieldResolver()
  resultConnectorId(@Root() { resultConnector }: Row): string | undefined {
    return resultConnector;
  }
}
