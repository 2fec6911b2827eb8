import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Base62Id } from '../../kernel/ids.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { RequestContext } from '../../kernel/reading/request-context.js';
import { Access } from '../../tenancy/access.js';
import { CredentialMetadata } from '../credential-metadata.js';
import type { ConnectionContext } from './connection-context.js';
import { CredentialDetail, CredentialDetailArgs, readCredentialDetail } from './credential-detail.js';
import { CredentialValidationResult, validationResultOf } from './credential-validation-result.js';
import { VENDOR_LIMIT_ERROR } from './vendor-request-limiter.js';

type Row = Lean<CredentialMetadata>;

@Resolver(() => CredentialMetadata)
export class CredentialResolver {
  @Access('credentials:validate')
  @Mutation(() => CredentialValidationResult, {
    description: `Tests a credential with a call to the source, and stores the result. If the source rejects the credential, the test returns a result and no error. Errors: NOT_FOUND if the credential record does not exist, CONFLICT if another record replaced it, ${VENDOR_LIMIT_ERROR}`,
  })
  async validateCredentials(
    @Arg('credentialMetadataId', () => Base62Id, { description: 'Id of the credential record.' }) credentialId: string,
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
    description:
      'Returns the status of a credential and the next step for the user. Exactly one of `credentialMetadataId` and `instanceId` is required. Null if the credential does not exist. Never returns secrets.',
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
}
