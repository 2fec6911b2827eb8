import { Args, ArgsType, Ctx, Field, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import { Connector } from '../../catalog/model/connector.js';
import { Limits } from '../../kernel/entities/field-limits.js';
import { AppError } from '../../kernel/errors.js';
import { Base62Id } from '../../kernel/ids.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { RequestContext } from '../../kernel/reading/request-context.js';
import { Access } from '../../tenancy/access.js';
import { withEffectiveBaseUrl } from '../config/effective-base-url.js';
import type { ConnectionContext } from '../credentials/connection-context.js';
import { setConnectorBaseUrl } from './set-connector-base-url.js';

@ArgsType()
class ConnectorBaseUrlArgs {
  @Field(() => Base62Id, { description: 'Id of the connector.' })
  id: string;

  @Field(() => String, {
    nullable: true,
    description:
      'HTTPS URL, without user name, password, query or fragment. If the host is an IP address in a network of the service setting `EGRESS_ALLOW`, HTTP is also allowed. Null resets the base URL to `defaultBaseUrl`.',
  })
  @Limits({ maxLength: 2_000 })
  baseUrl?: string | null;
}

@Resolver(() => Connector)
export class ConnectorBaseUrlResolver {
  @Access('connectors:read')
  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Base URL of the connector in this workspace: the URL set by `setConnectorBaseUrl`, otherwise `defaultBaseUrl`. Null if `addressingConfig.host` defines the address.',
  })
  async effectiveBaseUrl(
    @Root() connector: Lean<Connector>,
    @Ctx() { read }: RequestContext,
  ): Promise<string | undefined> {
    return (await withEffectiveBaseUrl(read, connector)).defaultBaseUrl;
  }

  @Access('workspace:write')
  @Mutation(() => Connector, {
    description:
      'Sets the base URL of a connector for all connections of the workspace, or resets it. The service deletes the secrets of all connections whose address changes, and a user must enter them again. Errors: NOT_FOUND if the connector does not exist, CONFLICT if it has no `defaultBaseUrl` or has `addressingConfig.host`, BAD_REQUEST for an invalid or disallowed URL.',
  })
  async setConnectorBaseUrl(
    @Args(() => ConnectorBaseUrlArgs) { id, baseUrl }: ConnectorBaseUrlArgs,
    @Ctx() context: ConnectionContext,
  ): Promise<Lean<Connector> | undefined> {
    if (baseUrl === undefined)
      throw new AppError('BAD_REQUEST', 'baseUrl is required. Send null to reset the base URL.');
    await setConnectorBaseUrl(context, id, baseUrl);
    return context.read.byId(Connector, id);
  }
}
