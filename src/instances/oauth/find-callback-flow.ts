import { Connector } from '../../catalog/model/connector.js';
import { ConnectorAuthStrategy } from '../../catalog/model/connector-auth-strategy.js';
import { reloadCaller } from '../../tenancy/authentication/find-caller.js';
import type { Caller } from '../../tenancy/caller.js';
import { hasPermission } from '../../tenancy/permissions.js';
import { User } from '../../tenancy/user.js';
import { Workspace } from '../../tenancy/workspace.js';
import { systemCaller } from '../../tenancy/workspace-transaction.js';
import type { ConnectionContext } from '../credentials/connection-context.js';
import { findInstance } from '../find-instance.js';
import { hashFlowSecret } from './flow-secret.js';
import { IS_OPEN_FLOW, OAuthFlow } from './oauth-flow.js';

export interface CallbackFlow {
  /** Context of the caller who started the sign-in. */
  readonly context: ConnectionContext;
  readonly state: string;
  readonly browserHash: string;
  /** Name of the callback parameter that contains the authorization code. */
  readonly codeParam: string;
  readonly names: { readonly connector: string; readonly workspace: string; readonly starter: string };
}

const OPEN_WITH_REDIRECT_URI = `state_hash = $1 and redirect_uri = $2 and ${IS_OPEN_FLOW}`;

/**
 * Returns undefined if there is no open sign-in, if its connection is deleted, or if the caller who started it may no
 * longer write connections.
 */
export async function findCallbackFlow(
  contextOf: (caller: Caller) => ConnectionContext,
  { tenantId, state, redirectUri }: { tenantId: string; state: string; redirectUri: string },
): Promise<CallbackFlow | undefined> {
  const { read } = contextOf(systemCaller(tenantId));
  const [flow] = await read.select(OAuthFlow, { where: OPEN_WITH_REDIRECT_URI, limit: 1 }, [
    hashFlowSecret(state),
    redirectUri,
  ]);
  if (!flow) return undefined;
  const { startedBy: id, startedByKind: kind, startedByUser } = flow;
  const [instance, strategy, caller, starter, workspace] = await Promise.all([
    findInstance(read, flow.instance),
    read.byId(ConnectorAuthStrategy, flow.strategy),
    reloadCaller(read, { kind, id, tenantId }),
    read.byId(User, startedByUser),
    read.byId(Workspace, tenantId),
  ]);
  const connector = instance && (await read.byId(Connector, instance.connector));
  if (!connector || !starter || !workspace || !caller || !hasPermission(caller.grants, 'connectors:write'))
    return undefined;
  return {
    context: contextOf(caller),
    ...{ state, browserHash: flow.browserHash, codeParam: strategy?.oauth2Config?.codeParam ?? 'code' },
    names: { connector: connector.name, workspace: workspace.name, starter: starter.email },
  };
}
