import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import { HISTORY_LIMIT } from '../kernel/reading/paging.js';
import type { Lean, MaybePromise } from '../kernel/reading/reader.js';
import type { RequestContext } from '../kernel/reading/request-context.js';
import { Access } from '../tenancy/access.js';
import { IngestToken } from './ingest-token.js';

@Resolver(() => TenantConnectorTap)
export class TapIngestTokensResolver {
  @Access('ingest_tokens:read')
  @FieldResolver(() => [IngestToken], { description: 'Latest 50 ingest tokens, newest first.' })
  ingestTokens(
    @Root() { id }: Lean<TenantConnectorTap>,
    @Ctx() { read }: RequestContext,
  ): MaybePromise<Lean<IngestToken>[]> {
    return read.latest(IngestToken, 'tap', id, HISTORY_LIMIT);
  }
}
