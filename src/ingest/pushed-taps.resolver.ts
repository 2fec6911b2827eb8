import { Args, Ctx, Query, Resolver } from 'type-graphql';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import type { ListSelection } from '../kernel/reading/list-selection.js';
import { PageArgs, type PageOf, readPage, SelectedList } from '../kernel/reading/paging.js';
import type { RequestContext } from '../kernel/reading/request-context.js';
import { TenantConnectorTapPage } from '../tables/taps/tenant-connector-tap.resolver.js';
import { Access } from '../tenancy/access.js';

/** A tap of any sync mode can receive pushed records if it has an ingest token. */
const IS_PUSHED = `deleted_at is null and (
  exists (select from ingest_token token where token.tenant_id = tenant_connector_tap.tenant_id and token.tap_id = tenant_connector_tap.id)
  or tap_id in (select id from connector_tap where sync ->> 'mode' = 'push'))`;

@Resolver()
export class PushedTapsResolver {
  @Access('connectors:read')
  @Query(() => TenantConnectorTapPage, {
    description: 'Taps whose definition has the sync mode `push`, and taps with ingest tokens, ordered by name.',
  })
  pushedTaps(
    @Args(() => PageArgs) page: PageArgs,
    @SelectedList() list: ListSelection,
    @Ctx() { read }: RequestContext,
  ): Promise<PageOf<TenantConnectorTap>> {
    return readPage(read, TenantConnectorTap, page, list, { where: IS_PUSHED });
  }
}
