import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Base62Id, decodeId } from '../kernel/ids.js';
import { createPageType, type PageOf } from '../kernel/reading/paging.js';
import type { Lean } from '../kernel/reading/reader.js';
import type { RequestContext } from '../kernel/reading/request-context.js';
import { readTap } from '../tables/existing-tap.js';
import { Access } from '../tenancy/access.js';
import type { WorkspaceContext } from '../tenancy/workspace-context.js';
import type { IngestContext } from './ingest-context.js';
import { IngestTokenResult, IngestTokensArgs, MintIngestTokenArgs } from './ingest-token.inputs.js';
import { IngestToken } from './ingest-token.js';
import { mintIngestToken, type NewIngestToken, revokeIngestToken, rotateIngestToken } from './write-ingest-token.js';

type Row = Lean<IngestToken>;
const IngestTokenPage = createPageType(IngestToken, 'IngestTokenPage');

const ID = { description: 'Id of the token.' };

@Resolver(() => IngestToken)
export class IngestTokenResolver {
  @Access('ingest_tokens:read')
  @Query(() => IngestTokenPage, {
    description:
      'Ingest tokens of a tap, the newest first, those too that no longer open. NOT_FOUND where there is no such tap.',
  })
  async ingestTokens(
    @Args(() => IngestTokensArgs) { tenantConnectorTapId, limit, offset }: IngestTokensArgs,
    @Ctx() { read }: RequestContext,
  ): Promise<PageOf<IngestToken>> {
    await readTap(read, tenantConnectorTapId);
    const where = 'tap_id = $1';
    const values = [decodeId(tenantConnectorTapId)];
    const [items, total] = await Promise.all([
      read.select(IngestToken, { where, limit, offset }, values),
      read.count(IngestToken, where, values),
    ]);
    return { items, limit, offset, total };
  }

  @Access('ingest_tokens:mint')
  @Mutation(() => IngestTokenResult, {
    description:
      'Makes an ingest token for a tap. CONFLICT where 5 of it are live, NOT_FOUND where there is no such tap.',
  })
  async mintIngestToken(
    @Args(() => MintIngestTokenArgs) args: MintIngestTokenArgs,
    @Ctx() context: IngestContext,
  ): Promise<object> {
    return resultOf(context, await context.write((tx) => mintIngestToken(tx, args)));
  }

  @Access('ingest_tokens:rotate')
  @Mutation(() => IngestTokenResult, {
    description:
      'Has another token take the place of this one, which opens for a grace of 24 hours still unless the service says otherwise. CONFLICT where it was rotated or revoked, has expired, or 5 of its tap are in grace; NOT_FOUND where there is none.',
  })
  async rotateIngestToken(@Arg('id', () => Base62Id, ID) id: string, @Ctx() context: IngestContext): Promise<object> {
    const { graceSeconds } = context.ingest;
    return resultOf(context, await context.write((tx) => rotateIngestToken(tx, id, graceSeconds)));
  }

  @Access('ingest_tokens:revoke')
  @Mutation(() => Boolean, { description: 'Ends an ingest token at once. NOT_FOUND where there is none.' })
  async revokeIngestToken(
    @Arg('id', () => Base62Id, ID) id: string,
    @Ctx() { write }: WorkspaceContext,
  ): Promise<boolean> {
    await write((tx) => revokeIngestToken(tx, id));
    return true;
  }

  @FieldResolver()
  tenantConnectorTapId(@Root() { tap }: Row): string {
    return tap;
  }
}

async function resultOf({ read, connections }: IngestContext, { token, id }: NewIngestToken): Promise<object> {
  const endpointUrl = `${connections.baseUrl()}/ingest/${token}`;
  return { token, endpointUrl, ingestToken: await read.byId(IngestToken, id) };
}
