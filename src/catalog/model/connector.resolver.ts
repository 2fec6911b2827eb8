import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { AppError } from '../../kernel/errors.js';
import { decodeId } from '../../kernel/ids.js';
import type { ListSelection } from '../../kernel/reading/list-selection.js';
import { createPageType, type PageOf, readPage, SearchArgs, SelectedList } from '../../kernel/reading/paging.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { RequestContext } from '../../kernel/reading/request-context.js';
import { Access } from '../../tenancy/access.js';
import { OfCatalog } from '../of-catalog.js';
import { Connector } from './connector.js';
import { CONNECTOR_SLUG_PATTERN } from './connector-slug.js';
import { DEFAULT_TIMEOUT_SECONDS } from './default-timeout.js';
import { InboundAuthStrategy } from './inbound-auth-strategy.js';

const ConnectorPage = createPageType(Connector, 'ConnectorPage');

@Resolver(() => Connector)
export class ConnectorResolver {
  @OfCatalog()
  @Access('connectors:read')
  @Query(() => ConnectorPage, { description: 'Lists the connectors of the catalog, ordered by name.' })
  connectors(
    @Args(() => SearchArgs) page: SearchArgs,
    @SelectedList() list: ListSelection,
    @Ctx() { read }: RequestContext,
  ): Promise<PageOf<Connector>> {
    return readPage(read, Connector, page, list);
  }

  @OfCatalog()
  @Access('connectors:read')
  @Query(() => Connector, { nullable: true, description: 'Returns one connector, or null if it does not exist.' })
  async connector(
    @Arg('id', () => String, { description: 'Id or slug of the connector.' }) id: string,
    @Ctx() { read }: RequestContext,
  ): Promise<Lean<Connector> | undefined> {
    if (decodeId(id)) return read.byId(Connector, id);
    if (!CONNECTOR_SLUG_PATTERN.test(id))
      throw new AppError('BAD_REQUEST', 'id must be the id or the slug of a connector.');
    const [connector] = await read.select(Connector, { where: 'slug = $1', limit: 1 }, [id]);
    return connector;
  }

  @FieldResolver()
  async inboundAuthStrategies(
    @Root() { id }: Lean<Connector>,
    @Ctx() { read }: RequestContext,
  ): Promise<Lean<InboundAuthStrategy>[] | undefined> {
    const strategies = await read.many(InboundAuthStrategy, 'connector', id);
    return strategies.length ? strategies : undefined;
  }

  @FieldResolver()
  timeoutSeconds(@Root() { timeoutSeconds }: Lean<Connector>): number {
    return timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
  }
}
