import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import type { ListSelection } from '../../kernel/reading/list-selection.js';
import { createPageType, type PageOf, readPage, SearchArgs, SelectedList } from '../../kernel/reading/paging.js';
import type { Lean, MaybePromise } from '../../kernel/reading/reader.js';
import type { RequestContext } from '../../kernel/reading/request-context.js';
import { Access } from '../../tenancy/access.js';
import { OfCatalog } from '../of-catalog.js';
import { PlatformVendor } from './platform-vendor.js';
import { PlatformVendorGrouping } from './platform-vendor-grouping.js';

const PlatformVendorPage = createPageType(PlatformVendor, 'PlatformVendorPage');

@Resolver(() => PlatformVendor)
export class PlatformVendorResolver {
  @OfCatalog()
  @Access('public')
  @Query(() => PlatformVendorPage, {
    description: 'Lists the vendors of the catalog, ordered by `sortOrder`, then `name`.',
  })
  platformVendors(
    @Args(() => SearchArgs) page: SearchArgs,
    @SelectedList() list: ListSelection,
    @Ctx() { read }: RequestContext,
  ): Promise<PageOf<PlatformVendor>> {
    return readPage(read, PlatformVendor, page, list);
  }

  @OfCatalog()
  @Access('public')
  @Query(() => PlatformVendor, { nullable: true, description: 'Returns one vendor, or null if it does not exist.' })
  async platformVendor(
    @Arg('slug', () => String, { description: 'URL-friendly name of the vendor.' }) slug: string,
    @Ctx() { read }: RequestContext,
  ): Promise<Lean<PlatformVendor> | undefined> {
    const [vendor] = await read.select(PlatformVendor, { where: 'slug = $1', limit: 1 }, [slug]);
    return vendor;
  }

  @FieldResolver()
  groupings(
    @Root() { id }: Lean<PlatformVendor>,
    @Ctx() { read }: RequestContext,
  ): MaybePromise<Lean<PlatformVendorGrouping>[]> {
    return read.branch(PlatformVendorGrouping, 'vendor', id, 'parent', null);
  }
}
