import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import type { Lean, MaybePromise } from '../../kernel/reading/reader.js';
import type { RequestContext } from '../../kernel/reading/request-context.js';
import { Access } from '../../tenancy/access.js';
import { OfCatalog } from '../of-catalog.js';
import { ConnectorAuthStrategy } from './connector-auth-strategy.js';
import { InboundAuthStrategy } from './inbound-auth-strategy.js';
import { PlatformVendor } from './platform-vendor.js';
import { PlatformVendorGrouping } from './platform-vendor-grouping.js';

type Grouping = Lean<PlatformVendorGrouping>;

/** One statement reads the whole tree of a vendor, and the resolvers select the children from the tree. */
@Resolver(() => PlatformVendorGrouping)
export class PlatformVendorGroupingResolver {
  @OfCatalog()
  @Access('public')
  @Query(() => [PlatformVendorGrouping], {
    nullable: true,
    description:
      'Returns the top-level groupings of a vendor, with all other groupings nested in `groupings`. Null if the vendor does not exist.',
  })
  async platformVendorGroupings(
    @Arg('vendorSlug', () => String, { description: 'URL-friendly name of the vendor.' }) vendorSlug: string,
    @Ctx() { read }: RequestContext,
  ): Promise<Grouping[] | undefined> {
    const [vendor] = await read.select(PlatformVendor, { where: 'slug = $1', limit: 1 }, [vendorSlug]);
    return vendor && read.branch(PlatformVendorGrouping, 'vendor', vendor.id, 'parent', null);
  }

  @FieldResolver()
  groupings(@Root() { id, vendor }: Grouping, @Ctx() { read }: RequestContext): MaybePromise<Grouping[]> {
    return read.branch(PlatformVendorGrouping, 'vendor', vendor, 'parent', id);
  }

  @FieldResolver()
  connectorId(@Root() grouping: Grouping): string | undefined {
    return grouping.connector;
  }

  @FieldResolver()
  supportedAuthStrategies(
    @Root() { connector, strategiesOf }: Grouping,
    @Ctx() { read }: RequestContext,
  ): MaybePromise<Lean<ConnectorAuthStrategy>[]> | undefined {
    const owner = connector ?? strategiesOf;
    return owner ? read.many(ConnectorAuthStrategy, 'connector', owner) : undefined;
  }

  @FieldResolver()
  async supportedInboundAuthStrategies(
    @Root() { connector, strategiesOf }: Grouping,
    @Ctx() { read }: RequestContext,
  ): Promise<Lean<InboundAuthStrategy>[] | undefined> {
    const owner = connector ?? strategiesOf;
    const strategies = owner ? await read.many(InboundAuthStrategy, 'connector', owner) : [];
    return strategies.length ? strategies : undefined;
  }
}
