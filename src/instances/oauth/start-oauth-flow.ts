import { ref } from '@mikro-orm/core';
import { ConnectorAuthStrategy } from '../../catalog/model/connector-auth-strategy.js';
import { secretFieldsOf } from '../../catalog/secret-fields.js';
import { AppError } from '../../kernel/errors.js';
import { decodeId, encodeId, newId } from '../../kernel/ids.js';
import type { SealedSecrets, SecretStore } from '../../secrets/secret-store.js';
import type { Connection } from '../../sources/connection.js';
import { buildAuthorizeUrl, generatePkce } from '../../sources/methods/oauth2-auth-code-pkce.js';
import { requestedScopesOf } from '../../sources/sessions/requested-scopes.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { readConnectionDefinition, requireReleasedConnector } from '../config/connection-definition.js';
import { rethrowFaultAsBadRequest } from '../config/validate-source-address.js';
import { CredentialMetadata } from '../credential-metadata.js';
import { commitSealedSecrets } from '../credentials/commit-sealed-secrets.js';
import type { ConnectionContext } from '../credentials/connection-context.js';
import { loadConnection } from '../credentials/load-connection.js';
import { needsSignIn } from '../credentials/submit-credential.js';
import { lockInstance, readInstance, requireCurrentCredential } from '../find-instance.js';
import { configureConnectorInstance } from '../lifecycle/configure-connector-instance.js';
import { generateFlowSecret, hashFlowSecret } from './flow-secret.js';
import type { OAuthStartArgs } from './oauth-flow.inputs.js';
import { OAuthFlow, verifierLocation } from './oauth-flow.js';
import { resolveRedirectUri } from './redirect-uri.js';

export const FLOW_LIFETIME_MS = 10 * 60_000;

const DELETE_EXPIRED_FLOWS = `
delete from oauth_flow where id in (
  select id from oauth_flow where tenant_id = ? and expires_at < now() - interval '1 day' limit 100 for update skip locked
) returning id, verifier`;

export interface StartedOAuthFlow {
  readonly authorizeUrl: string;
  readonly state: string;
  readonly expiresAt: Date;
  /** Value of the cookie that identifies the browser. */
  readonly browserSecret: string;
}

/** Validates the request first, because new credentials replace the working credentials of the connection. */
export async function startOAuthFlow(context: ConnectionContext, args: OAuthStartArgs): Promise<StartedOAuthFlow> {
  await context.countVendorRequest();
  const { scopes, redirectUri } = await validateStart(context, args);
  await configureFirst(context, args);
  const { read, caller, connections } = context;
  const { credential: credentialId } = await readInstance(read, args.instanceId);
  if (!credentialId) throw noCredentialsError();
  const connection = await loadConnection(read, connections.secrets, caller.tenantId, credentialId);

  requireSecrets(connection);
  const { codeVerifier, codeChallenge } = generatePkce();
  const [state, browserSecret] = [generateFlowSecret(), generateFlowSecret()];
  const url = rethrowFaultAsBadRequest(() =>
    buildAuthorizeUrl(connection, { state, redirectUri, codeChallenge, scopes }),
  );
  const expiresAt = new Date(Date.now() + FLOW_LIFETIME_MS);
  const id = newId();
  const location = verifierLocation(caller.tenantId, id);
  const verifier = await connections.secrets.seal(location, { codeVerifier });
  await commitSealedSecrets(context, [[location, verifier]], async (tx) => {
    const instance = await lockInstance(tx, args.instanceId);
    await requireCurrentCredential(tx, args.instanceId, credentialId);
    await deleteExpiredFlows(tx, connections.secrets);
    const flow = tx.create(OAuthFlow, {
      ...{ id, redirectUri, scopes, verifier, expiresAt, instance: ref(instance) },
      ...{ stateHash: hashFlowSecret(state), browserHash: hashFlowSecret(browserSecret) },
      ...{ startedBy: caller.id, startedByKind: caller.kind, startedByUser: caller.userId },
      ...catalogRelations(tx, credentialId, connection.strategy.id),
    });
    tx.recordAudit('oauth_flow.started', flow, { instanceId: instance.id });
  });
  return { authorizeUrl: url.href, state, expiresAt, browserSecret };
}

async function validateStart(
  context: ConnectionContext,
  { instanceId, authenticationStrategyId, scopes, redirectUri }: OAuthStartArgs,
): Promise<{ scopes: string[]; redirectUri: string }> {
  const { connector: connectorId, authenticationStrategy } = await readInstance(context.read, instanceId);
  const strategyId = authenticationStrategyId ?? authenticationStrategy;
  const { connector, strategy } = await readConnectionDefinition(context.read, connectorId, strategyId);
  requireReleasedConnector(connector);
  if (!strategy) throw noCredentialsError();
  if (!needsSignIn(strategy)) throw new AppError('CONFLICT', 'The strategy does not support a browser sign-in.');
  return {
    scopes: chooseScopes(requestedScopesOf({ strategy }), scopes),
    redirectUri: await resolveRedirectUri(context, connector, redirectUri),
  };
}

/** `setConnectorBaseUrl` may have deleted the secrets. Without this check, the sign-in would fail only at its end. */
function requireSecrets({ strategy, config }: Connection): void {
  const required = (strategy.configSchema?.required ?? []) as string[];
  const missing = secretFieldsOf(strategy.configSchema).find((field) => required.includes(field) && !config[field]);
  if (missing !== undefined) throw new AppError('BAD_REQUEST', `authenticationConfig.${missing} is missing.`);
}

/** Deletes up to 100 flows of the workspace that expired more than a day ago, and their sealed verifiers. */
async function deleteExpiredFlows(tx: WorkspaceTransaction, secrets: SecretStore): Promise<void> {
  const { tenantId } = tx.caller;
  const cleared = await tx.em.execute<{ id: string; verifier: SealedSecrets }[]>(DELETE_EXPIRED_FLOWS, [
    decodeId(tenantId),
  ]);
  tx.afterCommit(async () => {
    for (const { id, verifier } of cleared)
      await secrets.destroy(verifierLocation(tenantId, encodeId(id)), verifier).catch(() => undefined);
  });
}

function noCredentialsError(): AppError {
  return new AppError('CONFLICT', 'The connection has no authentication strategy, so it accepts no sign-in.');
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

function chooseScopes(defined: readonly string[], wanted: string[] | null | undefined): string[] {
  if (!wanted) return [...defined];
  if (wanted.some((scope) => !defined.includes(scope)))
    throw new AppError('BAD_REQUEST', "scopes must be a subset of the strategy's scopes.");
  return [...new Set(wanted)];
}
