import { LockMode, ref } from '@mikro-orm/core';
import { Connector } from '../../catalog/model/connector.js';
import { ConnectorAuthStrategy } from '../../catalog/model/connector-auth-strategy.js';
import { secretFieldsOf } from '../../catalog/secret-fields.js';
import { AppError } from '../../kernel/errors.js';
import { newId } from '../../kernel/ids.js';
import { overrideRow } from '../../kernel/reading/override-row.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { usesSessions } from '../../sources/calls/current-session.js';
import { isHost } from '../../sources/render-address.js';
import { baseTemplateOf } from '../../sources/source-address.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { ConnectorBaseUrl } from '../config/connector-base-url.js';
import { lockBaseUrl, withEffectiveBaseUrl } from '../config/effective-base-url.js';
import type { ConnectionContext } from '../credentials/connection-context.js';
import type { NewCredential } from '../credentials/seal-credential.js';
import { needsSignIn, submitCredential } from '../credentials/submit-credential.js';
import { TenantConnectorInstance } from '../tenant-connector-instance.js';

type Strategy = Lean<ConnectorAuthStrategy>;

const SECRETS_REMOVED = 'The base URL of the connector changed, so the stored secrets were removed.';

/** Deletes the secrets of connections whose address changes, because users entered them for a different host. */
export async function setConnectorBaseUrl(
  context: ConnectionContext,
  connectorId: string,
  baseUrl: string | null,
): Promise<void> {
  const connector = await context.read.byId(Connector, connectorId);
  if (!connector) throw new AppError('NOT_FOUND', 'The connector does not exist.');
  if (!connector.defaultBaseUrl || connector.addressingConfig?.host)
    throw new AppError(
      'CONFLICT',
      'The base URL of this connector cannot be set: the connector has no defaultBaseUrl, or it has addressingConfig.host.',
    );
  const wanted = baseUrl === null ? undefined : parseBaseUrl(context, baseUrl);
  await context.write(async (tx) => {
    await lockBaseUrl(tx, connectorId, 'exclusive');
    const before = await withEffectiveBaseUrl(tx.read, connector);
    await save(tx, connector, wanted);
    const after = wanted === undefined ? connector : overrideRow(connector, { defaultBaseUrl: wanted });
    if (after.defaultBaseUrl !== before.defaultBaseUrl) await removeSecrets(context, tx, { before, after });
  });
}

/** `URL` percent-encodes braces, so the base URL contains no template variables. */
function parseBaseUrl({ connections }: ConnectionContext, text: string): string {
  const url = URL.parse(text);
  const isBare = url && !url.username && !url.password && !/[?#]/.test(text);
  if (!isBare || !isHost(url.protocol, url.host) || !connections.mayCall(url))
    throw new AppError(
      'BAD_REQUEST',
      'baseUrl must be an HTTPS URL of a public host, or the URL of an address that the operator allows (EGRESS_ALLOW). It must not contain a user name, password, query or fragment.',
    );
  return url.origin + url.pathname.replace(/\/+$/, '');
}

async function save(tx: WorkspaceTransaction, { id }: Lean<Connector>, baseUrl: string | undefined): Promise<void> {
  const existing = await tx.em.findOne(ConnectorBaseUrl, { connector: id });
  if (existing?.baseUrl === baseUrl) return;
  const details = { connectorId: id, baseUrl: baseUrl ?? null };
  if (existing && baseUrl === undefined) {
    tx.em.remove(existing);
    tx.recordAudit('connector_base_url.reset', existing, details);
  } else if (baseUrl !== undefined) {
    const row = existing ?? tx.create(ConnectorBaseUrl, { connector: ref(tx.em.getReference(Connector, id)), baseUrl });
    tx.update(row, { baseUrl });
    tx.recordAudit('connector_base_url.set', row, details);
  }
}

async function removeSecrets(
  { connections }: ConnectionContext,
  tx: WorkspaceTransaction,
  { before, after }: { before: Lean<Connector>; after: Lean<Connector> },
): Promise<void> {
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } } as const;
  const instances = await tx.em.find(TenantConnectorInstance, { connector: after.id, deletedAt: null }, options);
  for (const instance of instances) {
    const { credential } = (await tx.read.byId(TenantConnectorInstance, instance.id)) as Lean<TenantConnectorInstance>;
    const strategyId = instance.authenticationStrategy?.id;
    const strategy = strategyId ? await tx.read.byId(ConnectorAuthStrategy, strategyId) : undefined;
    if (!credential || !strategy || !holdsSecrets(strategy)) continue;
    if (baseTemplateOf({ strategy, connector: before }) === baseTemplateOf({ strategy, connector: after })) continue;
    const nothingSealed: NewCredential = {
      id: newId(),
      chosen: { strategy },
      config: {},
      sealedSecrets: [],
      pendingMessage: messageFor(strategy),
    };
    tx.update(instance, { authenticationConfig: withoutSecrets(instance.authenticationConfig ?? {}, strategy) });
    const record = await submitCredential(tx, connections.secrets, instance, credential, nothingSealed);
    tx.recordAudit('connector_instance.secrets_removed', instance, { credentialMetadataId: record.id });
  }
}

function holdsSecrets(strategy: Strategy): boolean {
  return secretFieldsOf(strategy.configSchema).length > 0 || usesSessions({ strategy });
}

function messageFor(strategy: Strategy): string {
  const needsSecretsFirst = needsSignIn(strategy) && secretFieldsOf(strategy.configSchema).length > 0;
  const nextStep = needsSecretsFirst
    ? 'Enter them again, then sign in with the vendor.'
    : 'Enter the credentials again, or sign in with the vendor again.';
  return `${SECRETS_REMOVED} ${nextStep}`;
}

function withoutSecrets(config: Record<string, unknown>, { configSchema }: Strategy): Record<string, unknown> {
  const secret = secretFieldsOf(configSchema);
  return Object.fromEntries(Object.entries(config).filter(([field]) => !secret.includes(field)));
}
