import { isDeepStrictEqual } from 'node:util';
import { ref } from '@mikro-orm/core';
import { ConnectorAuthStrategy } from '../catalog/connector-auth-strategy.js';
import { InboundAuthStrategy } from '../catalog/inbound-auth-strategy.js';
import { AppError } from '../kernel/errors.js';
import type { Lean } from '../kernel/reading.js';
import { SecretsUnreadable } from '../secrets/secret-store.js';
import type { Session } from '../sources/session.js';
import { checkAddress, movedField, refuseKeptSecret } from './check-address.js';
import type { Config } from './check-config.js';
import { checkSenderKeys } from './check-sender-keys.js';
import { checkIngestionConfig, type Definition, readDefinition } from './chosen-definition.js';
import type { ConnectionContext } from './connection-context.js';
import type { ConfigureConnectorInstanceArgs } from './connector-instance.inputs.js';
import { requireBaseUrl } from './effective-base-url.js';
import { lockInstance, readInstance, requireCurrent } from './existing-instance.js';
import { type KeptSecrets, readKeptSecrets, requireUnused } from './kept-secrets.js';
import { sealCredential } from './seal-credential.js';
import { submitCredential } from './submit-credential.js';
import { keepsSecrets, readSubmission, type SubmittedConfig } from './submitted-config.js';
import type { TenantConnectorInstance } from './tenant-connector-instance.js';
import { writeSealed } from './write-sealed.js';

type Instance = Lean<TenantConnectorInstance>;
type Strategy = Lean<ConnectorAuthStrategy | InboundAuthStrategy>;

const NOTHING_KEPT: KeptSecrets = { secrets: {}, version: 0 };

/** Takes credentials anew, as a new record, and has them tested by a job. */
export async function configureConnectorInstance(
  context: ConnectionContext,
  args: ConfigureConnectorInstanceArgs,
): Promise<void> {
  const { read, caller, connections } = context;
  const before = await readInstance(read, args.instanceId);
  const credentialId = before.credential ?? undefined;
  if (args.credentialMetadataId && args.credentialMetadataId !== credentialId)
    throw new AppError('CONFLICT', 'credentialMetadataId is not the current one; read the connection again.');

  const strategyId = args.authenticationStrategyId ?? currentStrategy(before);
  const definition = await readDefinition(read, before.connector, strategyId);
  const { strategy, inbound } = definition;
  const chosen = strategy ?? inbound;
  if (!chosen) throw await nothingChosen(context, before);
  const kept = await keptFrom(context, before, chosen, args);
  const submitted = readSubmission(chosen.configSchema, args.authenticationConfig, kept.secrets);
  if (inbound) checkSenderKeys(inbound, submitted);
  const ingestionConfig = checkIngestionConfig(definition, args.ingestionConfig ?? before.ingestionConfig);
  checkAddress(definition, submitted.whole, ingestionConfig);
  const given = args.authenticationConfig;
  const session = carriedSession(definition, { before, kept, submitted, ingestionConfig, given });

  const credential = await sealCredential(connections.secrets, caller.tenantId, definition, {
    secrets: submitted.secrets,
    session,
  });
  await writeSealed(context, credential.places, async (tx) => {
    await requireBaseUrl(tx, definition.connector);
    const instance = await lockInstance(tx, args.instanceId);
    await requireCurrent(tx, args.instanceId, credentialId);
    const { refreshToken } = submitted.secrets;
    const isTakenOver = session || (refreshToken && refreshToken === kept.secrets.refreshToken);
    if (credentialId && isTakenOver) await requireUnused(tx, credentialId, kept.version);
    tx.change(instance, {
      authenticationStrategy: (strategy ? ref(tx.em.getReference(ConnectorAuthStrategy, strategy.id)) : null) as never,
      inboundAuthStrategy: (inbound ? ref(tx.em.getReference(InboundAuthStrategy, inbound.id)) : null) as never,
      ...{ authenticationConfig: submitted.masked, ingestionConfig, ...(args.name && { name: args.name }) },
    });
    const record = await submitCredential(tx, connections.secrets, instance, credentialId, credential);
    await connections.tests.enqueue(tx, record);
    tx.record('connector_instance.configured', instance, { credentialMetadataId: record.id });
  });
}

function currentStrategy({ authenticationStrategy, inboundAuthStrategy }: Instance): string | undefined {
  return authenticationStrategy ?? inboundAuthStrategy;
}

/** A connection that is sent to may have been made without a strategy. */
async function nothingChosen({ read }: ConnectionContext, { connector }: Instance): Promise<AppError> {
  const strategies = await read.many(InboundAuthStrategy, 'connector', connector);
  if (strategies.length === 0) return new AppError('CONFLICT', 'The connector takes no credentials.');
  return new AppError('BAD_REQUEST', "authenticationStrategyId is missing: one of the connector's inbound strategies.");
}

/** What is stored, where some of it is to be kept: what cannot be opened any more can still be entered anew. */
async function keptFrom(
  { read, caller, connections }: ConnectionContext,
  before: Instance,
  chosen: Strategy,
  { authenticationConfig }: ConfigureConnectorInstanceArgs,
): Promise<KeptSecrets> {
  const { credential } = before;
  if (!credential || currentStrategy(before) !== chosen.id) return NOTHING_KEPT;
  if (!keepsSecrets(chosen.configSchema, authenticationConfig)) return NOTHING_KEPT;
  return readKeptSecrets(read, connections.secrets, caller.tenantId, credential).catch((error: unknown) => {
    if (!(error instanceof SecretsUnreadable)) throw error;
    throw new AppError('BAD_REQUEST', 'The stored secrets cannot be opened any more: all have to be entered anew.');
  });
}

interface Change {
  readonly before: Instance;
  readonly kept: KeptSecrets;
  readonly submitted: SubmittedConfig;
  readonly ingestionConfig: Config;
  readonly given: Config;
}

/** The session goes over to the new record where nothing changes that it was obtained with or is sent to. */
function carriedSession(
  { connector, strategy, taps }: Definition,
  { before, kept, submitted, ingestionConfig, given }: Change,
): Session | undefined {
  if (kept === NOTHING_KEPT || !strategy) return undefined;
  const config = { ...before.authenticationConfig, ...kept.secrets };
  const parts = { connector, strategy, taps };
  const moved = movedField(
    { ...parts, config, ingestionConfig: before.ingestionConfig ?? {} },
    { ...parts, config: submitted.whole, ingestionConfig },
  );
  if (moved !== undefined) refuseKeptSecret(moved, strategy, given, submitted.secrets);
  return moved === undefined && isDeepStrictEqual(config, submitted.whole) ? kept.session : undefined;
}
