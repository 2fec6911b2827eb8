import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Base62Id, decodeId } from '../kernel/ids.js';
import type { ListSelection } from '../kernel/reading/list-selection.js';
import { createPageType, type PageOf, readPage, SelectedList } from '../kernel/reading/paging.js';
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
      'Lists the ingest tokens of a tap, newest first, including expired and revoked tokens. NOT_FOUND if the tap does not exist.',
  })
  async ingestTokens(
    @Args(() => IngestTokensArgs) { tenantConnectorTapId, ...page }: IngestTokensArgs,
    @SelectedList() list: ListSelection,
    @Ctx() { read }: RequestContext,
  ): Promise<PageOf<IngestToken>> {
    await readTap(read, tenantConnectorTapId);
    return readPage(read, IngestToken, page, list, { where: 'tap_id = $1', values: [decodeId(tenantConnectorTapId)] });
  }

  @Access('ingest_tokens:mint')
  @Mutation(() => IngestTokenResult, {
    description:
      'Creates an ingest token for a tap. CONFLICT if the tap has 5 live tokens, not counting rotated, revoked and expired tokens. NOT_FOUND if the tap does not exist.',
  })
  async mintIngestToken(
    @Args(() => MintIngestTokenArgs) args: MintIngestTokenArgs,
    @Ctx() context: IngestContext,
  ): Promise<object> {
    return toResult(context, await context.write((tx) => mintIngestToken(tx, args)));
  }

  @Access('ingest_tokens:rotate')
  @Mutation(() => IngestTokenResult, {
    description:
      'Replaces a token with a new token that has the same expiry. The old token remains valid for a grace period, 24 hours by default. CONFLICT if the token was rotated, was revoked or has expired, or if 5 tokens of the tap are in their grace period. NOT_FOUND if the token does not exist.',
  })
  async rotateIngestToken(@Arg('id', () => Base62Id, ID) id: string, @Ctx() context: IngestContext): Promise<object> {
    const { graceSeconds } = context.ingest;
    return toResult(context, await context.write((tx) => rotateIngestToken(tx, id, graceSeconds)));
  }

  @Access('ingest_tokens:revoke')
  @Mutation(() => Boolean, {
    description:
      'Revokes an ingest token immediately. Has no effect if the token is already revoked. NOT_FOUND if the token does not exist.',
  })
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

async function toResult({ read, connections }: IngestContext, { token, id }: NewIngestToken): Promise<object> {
  const endpointUrl = `${connections.baseUrl()}/ingest/${token}`;
  return { token, endpointUrl, ingestToken: await read.byId(IngestToken, id) };
}
