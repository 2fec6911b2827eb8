import { isDeepStrictEqual } from 'node:util';
import { ref } from '@mikro-orm/core';
import { ConnectorAuthStrategy } from '../../catalog/model/connector-auth-strategy.js';
import { InboundAuthStrategy } from '../../catalog/model/inbound-auth-strategy.js';
import { AppError } from '../../kernel/errors.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { SecretsUnreadable } from '../../secrets/secret-store.js';
import type { Session } from '../../sources/session.js';
import {
  type ConnectionDefinition,
  readConnectionDefinition,
  validateIngestionConfig,
} from '../config/connection-definition.js';
import { requireUnchangedBaseUrl } from '../config/effective-base-url.js';
import { parseSubmittedConfig, reusesStoredSecrets, type SubmittedConfig } from '../config/submitted-config.js';
import type { ConnectionConfig } from '../config/validate-config.js';
import { validateSenderKeys } from '../config/validate-sender-keys.js';
import {
  findChangedAddressField,
  rejectStoredSecrets,
  validateSourceAddress,
} from '../config/validate-source-address.js';
import { commitSealedSecrets } from '../credentials/commit-sealed-secrets.js';
import type { ConnectionContext } from '../credentials/connection-context.js';
import { sealCredential } from '../credentials/seal-credential.js';
import { readStoredSecrets, requireUnchangedSession, type StoredSecrets } from '../credentials/stored-secrets.js';
import { submitCredential } from '../credentials/submit-credential.js';
import { lockInstance, readInstance, requireCurrentCredential } from '../find-instance.js';
import type { TenantConnectorInstance } from '../tenant-connector-instance.js';
import type { ConfigureConnectorInstanceArgs } from './connector-instance.inputs.js';

type Instance = Lean<TenantConnectorInstance>;
type Strategy = Lean<ConnectorAuthStrategy | InboundAuthStrategy>;

const NO_STORED_SECRETS: StoredSecrets = { secrets: {}, version: 0 };

/** Enqueues a credential test, unless the connection is inbound or the new credential record awaits a sign-in. */
export async function configureConnectorInstance(
  context: ConnectionContext,
  args: ConfigureConnectorInstanceArgs,
): Promise<void> {
  const { read, caller, connections } = context;
  const before = await readInstance(read, args.instanceId);
  const credentialId = before.credential ?? undefined;
  if (args.credentialMetadataId && args.credentialMetadataId !== credentialId)
    throw new AppError(
      'CONFLICT',
      'credentialMetadataId is not the id of the current credential record. Read the connection and try again.',
    );

  const strategyId = args.authenticationStrategyId ?? currentStrategy(before);
  const definition = await readConnectionDefinition(read, before.connector, strategyId);
  const { strategy, inbound } = definition;
  const chosen = strategy ?? inbound;
  if (!chosen) throw await missingStrategyError(context, before);
  const stored = await readReusableSecrets(context, before, chosen, args);
  const submitted = parseSubmittedConfig(chosen.configSchema, args.authenticationConfig, stored.secrets);
  if (inbound) validateSenderKeys(inbound, submitted);
  const ingestionConfig = validateIngestionConfig(definition, args.ingestionConfig ?? before.ingestionConfig);
  validateSourceAddress(definition, submitted.complete, ingestionConfig);
  const given = args.authenticationConfig;
  const session = reusableSession(definition, { before, stored, submitted, ingestionConfig, given });

  const credential = await sealCredential(connections.secrets, caller.tenantId, definition, {
    secrets: submitted.secrets,
    session,
  });
  await commitSealedSecrets(context, credential.sealedSecrets, async (tx) => {
    await requireUnchangedBaseUrl(tx, definition.connector);
    const instance = await lockInstance(tx, args.instanceId);
    await requireCurrentCredential(tx, args.instanceId, credentialId);
    const { refreshToken } = submitted.secrets;
    const isReused = session || (refreshToken && refreshToken === stored.secrets.refreshToken);
    if (credentialId && isReused) await requireUnchangedSession(tx, credentialId, stored.version);
    tx.update(instance, {
      authenticationStrategy: (strategy ? ref(tx.em.getReference(ConnectorAuthStrategy, strategy.id)) : null) as never,
      inboundAuthStrategy: (inbound ? ref(tx.em.getReference(InboundAuthStrategy, inbound.id)) : null) as never,
      ...{ authenticationConfig: submitted.masked, ingestionConfig, ...(args.name && { name: args.name }) },
    });
    const record = await submitCredential(tx, connections.secrets, instance, credentialId, credential);
    await connections.credentialTester.enqueue(tx, record);
    tx.recordAudit('connector_instance.configured', instance, { credentialMetadataId: record.id });
  });
}

function currentStrategy({ authenticationStrategy, inboundAuthStrategy }: Instance): string | undefined {
  return authenticationStrategy ?? inboundAuthStrategy;
}

/** If a connection has no strategy, its connector has no outbound strategies, but may have inbound ones. */
async function missingStrategyError({ read }: ConnectionContext, { connector }: Instance): Promise<AppError> {
  const strategies = await read.many(InboundAuthStrategy, 'connector', connector);
  if (strategies.length === 0)
    return new AppError('CONFLICT', 'The connector has no authentication strategy, so it accepts no credentials.');
  return new AppError(
    'BAD_REQUEST',
    "authenticationStrategyId is required. Send the id of one of the connector's inbound strategies.",
  );
}

/** Reads stored secrets only if the submission reuses them, so that a user can replace unreadable secrets. */
async function readReusableSecrets(
  { read, caller, connections }: ConnectionContext,
  before: Instance,
  chosen: Strategy,
  { authenticationConfig }: ConfigureConnectorInstanceArgs,
): Promise<StoredSecrets> {
  const { credential } = before;
  if (!credential || currentStrategy(before) !== chosen.id) return NO_STORED_SECRETS;
  if (!reusesStoredSecrets(chosen.configSchema, authenticationConfig)) return NO_STORED_SECRETS;
  return readStoredSecrets(read, connections.secrets, caller.tenantId, credential).catch((error: unknown) => {
    if (!(error instanceof SecretsUnreadable)) throw error;
    throw new AppError('BAD_REQUEST', 'The stored secrets can no longer be decrypted. Submit all secrets again.');
  });
}

interface ConfigChange {
  readonly before: Instance;
  readonly stored: StoredSecrets;
  readonly submitted: SubmittedConfig;
  readonly ingestionConfig: ConnectionConfig;
  readonly given: ConnectionConfig;
}

/**
 * Returns the session if the authentication config and the addresses remain the same. Throws BAD_REQUEST if an address
 * field changes and the client has not submitted all secrets again.
 */
function reusableSession(
  { connector, strategy, taps }: ConnectionDefinition,
  { before, stored, submitted, ingestionConfig, given }: ConfigChange,
): Session | undefined {
  if (stored === NO_STORED_SECRETS || !strategy) return undefined;
  const config = { ...before.authenticationConfig, ...stored.secrets };
  const definition = { connector, strategy, taps };
  const changedField = findChangedAddressField(
    { ...definition, config, ingestionConfig: before.ingestionConfig ?? {} },
    { ...definition, config: submitted.complete, ingestionConfig },
  );
  if (changedField !== undefined) rejectStoredSecrets(changedField, strategy, given, submitted.secrets);
  return changedField === undefined && isDeepStrictEqual(config, submitted.complete) ? stored.session : undefined;
}
