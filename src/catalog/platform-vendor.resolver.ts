import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { type PageOf, pageType, readPage, SearchArgs } from '../kernel/paging.js';
import type { Lean, MaybePromise } from '../kernel/reading.js';
import type { RequestContext } from '../kernel/request-context.js';
import { Access } from '../tenancy/access.js';
import { PlatformVendor } from './platform-vendor.js';
import { PlatformVendorGrouping } from './platform-vendor-grouping.js';

const PlatformVendorPage = pageType(PlatformVendor, 'PlatformVendorPage');

@Resolver(() => PlatformVendor)
export class PlatformVendorResolver {
  @Access('public')
  @Query(() => PlatformVendorPage, { description: 'The vendors of the catalog, by sort order and name.' })
  platformVendors(
    @Args(() => SearchArgs) page: SearchArgs,
    @Ctx() { read }: RequestContext,
  ): Promise<PageOf<PlatformVendor>> {
    return readPage(read, PlatformVendor, page);
  }

  @Access('public')
  @Query(() => PlatformVendor, { nullable: true, description: 'One vendor; null where there is none of that slug.' })
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
    return read.within(PlatformVendorGrouping, 'vendor', id, 'parent', null);
  }
}
