import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Base62Id } from '../../kernel/ids.js';
import { HISTORY_LIMIT } from '../../kernel/reading/paging.js';
import type { Lean, MaybePromise } from '../../kernel/reading/reader.js';
import type { RequestContext } from '../../kernel/reading/request-context.js';
import { Access } from '../../tenancy/access.js';
import { CredentialMetadata } from '../credential-metadata.js';
import { CredentialValidation } from '../credential-validation.js';
import type { ConnectionContext } from './connection-context.js';
import { CredentialDetail, CredentialDetailArgs, readCredentialDetail } from './credential-detail.js';
import { CredentialValidationResult, validationResultOf } from './credential-validation-result.js';

type Row = Lean<CredentialMetadata>;

@Resolver(() => CredentialMetadata)
export class CredentialResolver {
  @Access('credentials:validate')
  @Mutation(() => CredentialValidationResult, {
    description:
      'Tests a credential: calls the source with it, and keeps what was found. A source that refuses is a result, no error. NOT_FOUND where there is no such record, CONFLICT where another has taken its place, TOO_MANY_REQUESTS beyond 30 a minute in a workspace.',
  })
  async validateCredentials(
    @Arg('credentialMetadataId', () => Base62Id, { description: 'The credential record.' }) credentialId: string,
    @Ctx() context: ConnectionContext,
  ): Promise<object> {
    await context.countVendorRequest();
    const { caller, requestId, connections } = context;
    const data = { tenantId: caller.tenantId, credentialId, trigger: 'requested' } as const;
    return validationResultOf(await connections.credentialTester.test(data, requestId));
  }

  @Access('credentials:read')
  @Query(() => CredentialDetail, {
    nullable: true,
    description: 'What is known of a credential, and what to do about it; null where there is none. Never the secret.',
  })
  tenantConnectorCredentialDetail(
    @Args(() => CredentialDetailArgs) args: CredentialDetailArgs,
    @Ctx() { read }: RequestContext,
  ): Promise<CredentialDetail | undefined> {
    return readCredentialDetail(read, args);
  }

  @FieldResolver()
  instanceId(@Root() { instance }: Row): string {
    return instance;
  }

  @FieldResolver()
  validations(@Root() { id }: Row, @Ctx() { read }: RequestContext): MaybePromise<Lean<CredentialValidation>[]> {
    return read.latest(CredentialValidation, 'credential', id, HISTORY_LIMIT);
  }
}
