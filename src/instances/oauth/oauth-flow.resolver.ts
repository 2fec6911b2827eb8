import { Args, Ctx, Mutation, Resolver } from 'type-graphql';
import { Access } from '../../tenancy/access.js';
import type { ConnectionContext } from '../credentials/connection-context.js';
import { validationResultOf } from '../credentials/credential-validation-result.js';
import { VENDOR_LIMIT_ERROR } from '../credentials/vendor-request-limiter.js';
import { findInstance } from '../find-instance.js';
import { browserCookieName } from './browser-cookie.js';
import { completeOAuthFlow } from './complete-oauth-flow.js';
import { OAuthCompleteArgs, OAuthCompletion, OAuthStart, OAuthStartArgs } from './oauth-flow.inputs.js';
import { FLOW_LIFETIME_MS, startOAuthFlow } from './start-oauth-flow.js';

@Resolver()
export class OAuthFlowResolver {
  @Access('connectors:write')
  @Mutation(() => OAuthStart, {
    description: `Starts a sign-in with the vendor. Errors: CONFLICT if the strategy does not support a browser sign-in. BAD_REQUEST for a redirect URI that is not on the list of the workspace. ${VENDOR_LIMIT_ERROR}`,
  })
  async connectorOauthStart(
    @Args(() => OAuthStartArgs) args: OAuthStartArgs,
    @Ctx() context: ConnectionContext,
  ): Promise<object> {
    const { browserSecret, expiresAt, ...start } = await startOAuthFlow(context, args);
    const name = browserCookieName(start.state, context.connections.baseUrl());
    context.setCookie({ name, value: browserSecret, maxAge: FLOW_LIFETIME_MS / 1_000 });
    return { ...start, expiresAt: expiresAt.toISOString() };
  }

  @Access('connectors:write')
  @Mutation(() => OAuthCompletion, {
    description:
      'Completes a sign-in that the caller has started. Errors: OAUTH_STATE_INVALID for a state that is unknown, used or older than 10 minutes. FORBIDDEN if another caller started the sign-in. OAUTH_REFUSED if the sign-in was cancelled or the vendor issues no tokens. CONFLICT if the credentials were replaced after the start of the sign-in.',
  })
  async connectorOauthComplete(
    @Args(() => OAuthCompleteArgs) args: OAuthCompleteArgs,
    @Ctx() context: ConnectionContext,
  ): Promise<object> {
    const { instanceId, validation, ...completed } = await completeOAuthFlow(context, args);
    const instance = await findInstance(context.read, instanceId);
    return { instance, validation: validationResultOf(validation), ...completed };
  }
}
