import { Connector } from '../catalog/connector.js';
import type { Caller } from '../tenancy/caller.js';
import { findCallerAgain } from '../tenancy/find-caller.js';
import { allows } from '../tenancy/permissions.js';
import { User } from '../tenancy/user.js';
import { Workspace } from '../tenancy/workspace.js';
import { systemCaller } from '../tenancy/workspace-transaction.js';
import type { ConnectionContext } from './connection-context.js';
import { findInstance } from './existing-instance.js';
import { IS_OPEN, OAuthFlow } from './oauth-flow.js';
import { hashOf } from './oauth-secret.js';

/** A browser that came back from a vendor with the state of a sign-in that is still open. */
export interface Arrival {
  /** Of whoever started it. */
  readonly context: ConnectionContext;
  readonly state: string;
  readonly browserHash: string;
  readonly names: { readonly connector: string; readonly workspace: string; readonly starter: string };
}

const AT_THIS_ADDRESS = `state_hash = $1 and redirect_uri = $2 and ${IS_OPEN}`;

/** None where the state is not that of an open sign-in which ends at this very address, or whose starter may no longer connect. */
export async function findArrival(
  contextOf: (caller: Caller) => ConnectionContext,
  { tenantId, state, redirectUri }: { tenantId: string; state: string; redirectUri: string },
): Promise<Arrival | undefined> {
  const { read } = contextOf(systemCaller(tenantId));
  const [flow] = await read.select(OAuthFlow, { where: AT_THIS_ADDRESS, limit: 1 }, [hashOf(state), redirectUri]);
  if (!flow) return undefined;
  const { startedBy: id, startedByKind: kind, startedByUser } = flow;
  const [instance, caller, starter, workspace] = await Promise.all([
    findInstance(read, flow.instance),
    findCallerAgain(read, { kind, id, tenantId }),
    read.byId(User, startedByUser),
    read.byId(Workspace, tenantId),
  ]);
  const connector = instance && (await read.byId(Connector, instance.connector));
  if (!connector || !starter || !workspace || !caller || !allows(caller.grants, 'connectors:write')) return undefined;
  return {
    context: contextOf(caller),
    ...{ state, browserHash: flow.browserHash },
    names: { connector: connector.name, workspace: workspace.name, starter: starter.email },
  };
}
