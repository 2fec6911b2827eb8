import { ref } from '@mikro-orm/core';
import { ConnectorAuthStrategy } from '../catalog/connector-auth-strategy.js';
import { secretFieldsOf } from '../catalog/secret-fields.js';
import { AppError } from '../kernel/errors.js';
import { decodeId, encodeId, newId } from '../kernel/ids.js';
import type { Sealed, SecretStore } from '../secrets/secret-store.js';
import type { Connection } from '../sources/connection.js';
import { authorizeUrlOf, newPkce } from '../sources/oauth2-auth-code-pkce.js';
import { requestedScopes } from '../sources/requested-scopes.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import { asBadRequest } from './check-address.js';
import { readDefinition, requireReleased } from './chosen-definition.js';
import { configureConnectorInstance } from './configure-connector-instance.js';
import type { ConnectionContext } from './connection-context.js';
import { CredentialMetadata } from './credential-metadata.js';
import { lockInstance, readInstance, requireCurrent } from './existing-instance.js';
import { loadConnection } from './load-connection.js';
import { redirectAddress } from './oauth-callback-address.js';
import type { OAuthStartArgs } from './oauth-flow.inputs.js';
import { OAuthFlow, verifierPlace } from './oauth-flow.js';
import { hashOf, newSecret } from './oauth-secret.js';
import { needsSignIn } from './submit-credential.js';
import { writeSealed } from './write-sealed.js';

/** Milliseconds within which a sign-in is completed. */
export const FLOW_LIFE = 10 * 60_000;

const CLEAR = `
delete from oauth_flow where id in (
  select id from oauth_flow where tenant_id = ? and expires_at < now() - interval '1 day' limit 100 for update skip locked
) returning id, verifier`;

export interface StartedFlow {
  readonly authorizeUrl: string;
  readonly state: string;
  readonly expiresAt: Date;
  /** For the browser that starts the sign-in to keep, so that the page at its end knows it again. */
  readonly browserSecret: string;
}

/**
 * Makes ready for a sign-in with the vendor. Its state is bound to caller, connection, strategy, record and redirect address. Nothing is
 * configured for a start that is refused: that would end what worked until then.
 */
export async function startOAuthFlow(context: ConnectionContext, args: OAuthStartArgs): Promise<StartedFlow> {
  await context.countVendorRequest();
  const { scopes, redirectUri } = await checkStart(context, args);
  await configureFirst(context, args);
  const { read, caller, connections } = context;
  const { credential: credentialId } = await readInstance(read, args.instanceId);
  if (!credentialId) throw noCredentials();
  const connection = await loadConnection(read, connections.secrets, caller.tenantId, credentialId);

  requireSecrets(connection);
  const { codeVerifier, codeChallenge } = newPkce();
  const [state, browserSecret] = [newSecret(), newSecret()];
  const url = asBadRequest(() => authorizeUrlOf(connection, { state, redirectUri, codeChallenge, scopes }));
  const expiresAt = new Date(Date.now() + FLOW_LIFE);
  const id = newId();
  const place = verifierPlace(caller.tenantId, id);
  const verifier = await connections.secrets.seal(place, { codeVerifier });
  await writeSealed(context, [[place, verifier]], async (tx) => {
    const instance = await lockInstance(tx, args.instanceId);
    await requireCurrent(tx, args.instanceId, credentialId);
    await clearFlows(tx, connections.secrets);
    const flow = tx.create(OAuthFlow, {
      ...{ id, redirectUri, scopes, verifier, expiresAt, instance: ref(instance) },
      ...{ stateHash: hashOf(state), browserHash: hashOf(browserSecret) },
      ...{ startedBy: caller.id, startedByKind: caller.kind, startedByUser: caller.userId },
      ...catalogRelations(tx, credentialId, connection.strategy.id),
    });
    tx.record('oauth_flow.started', flow, { instanceId: instance.id });
  });
  return { authorizeUrl: url.href, state, expiresAt, browserSecret };
}

async function checkStart(
  context: ConnectionContext,
  { instanceId, authenticationStrategyId, scopes, redirectUri }: OAuthStartArgs,
): Promise<{ scopes: string[]; redirectUri: string }> {
  const { connector: connectorId, authenticationStrategy } = await readInstance(context.read, instanceId);
  const strategyId = authenticationStrategyId ?? authenticationStrategy;
  const { connector, strategy } = await readDefinition(context.read, connectorId, strategyId);
  requireReleased(connector);
  if (!strategy) throw noCredentials();
  if (!needsSignIn(strategy)) throw new AppError('CONFLICT', 'The strategy knows no sign-in by browser.');
  return {
    scopes: chooseScopes(requestedScopes({ strategy }), scopes),
    redirectUri: await redirectAddress(context, connector, redirectUri),
  };
}

/** After `setConnectorBaseUrl` they are gone, and the vendor would refuse the code only at the end of the sign-in. */
function requireSecrets({ strategy, config }: Connection): void {
  const required = (strategy.configSchema?.required ?? []) as string[];
  const missing = secretFieldsOf(strategy.configSchema).find((field) => required.includes(field) && !config[field]);
  if (missing !== undefined) throw new AppError('BAD_REQUEST', `authenticationConfig.${missing} is missing.`);
}

/** What nobody can complete any longer is let go of a day later. */
async function clearFlows(tx: WorkspaceTransaction, secrets: SecretStore): Promise<void> {
  const { tenantId } = tx.caller;
  const cleared = await tx.em.execute<{ id: string; verifier: Sealed }[]>(CLEAR, [decodeId(tenantId)]);
  tx.afterCommit(async () => {
    for (const { id, verifier } of cleared)
      await secrets.destroy(verifierPlace(tenantId, encodeId(id)), verifier).catch(() => undefined);
  });
}

function noCredentials(): AppError {
  return new AppError('CONFLICT', 'The connection takes no credentials.');
}

function catalogRelations({ em }: WorkspaceTransaction, credentialId: string, strategyId: string): Partial<OAuthFlow> {
  return {
    credential: ref(em.getReference(CredentialMetadata, credentialId)),
    strategy: ref(em.getReference(ConnectorAuthStrategy, strategyId)),
  };
}

async function configureFirst(context: ConnectionContext, args: OAuthStartArgs): Promise<void> {
  const { instanceId, authenticationStrategyId, authenticationConfig } = args;
  const { authenticationStrategy } = await readInstance(context.read, instanceId);
  if (!authenticationConfig && (authenticationStrategyId ?? authenticationStrategy) === authenticationStrategy) return;
  const given = {
    authenticationConfig: authenticationConfig ?? {},
    authenticationStrategyId: authenticationStrategyId ?? null,
  };
  await configureConnectorInstance(context, { instanceId, ...given });
}

/** A workspace may ask for less than the definition does, never for more. */
function chooseScopes(defined: readonly string[], wanted: string[] | null | undefined): string[] {
  if (!wanted) return [...defined];
  if (wanted.some((scope) => !defined.includes(scope)))
    throw new AppError('BAD_REQUEST', 'scopes holds one that the strategy does not ask for.');
  return [...new Set(wanted)];
}
