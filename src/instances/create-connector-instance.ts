import { ref } from '@mikro-orm/core';
import { Connector } from '../catalog/connector.js';
import { ConnectorAuthStrategy } from '../catalog/connector-auth-strategy.js';
import { InboundAuthStrategy } from '../catalog/inbound-auth-strategy.js';
import { PlatformVendorGrouping } from '../catalog/platform-vendor-grouping.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import { addWorkspaceTaps } from './add-workspace-taps.js';
import { checkAddress } from './check-address.js';
import { checkSenderKeys } from './check-sender-keys.js';
import { checkIngestionConfig, chooseDefinition, type Definition } from './chosen-definition.js';
import type { ConnectionContext } from './connection-context.js';
import type { CreateConnectorInstanceArgs } from './connector-instance.inputs.js';
import { requireBaseUrl } from './effective-base-url.js';
import { sealCredential } from './seal-credential.js';
import { submitCredential } from './submit-credential.js';
import { readSubmission } from './submitted-config.js';
import { TenantConnectorInstance } from './tenant-connector-instance.js';
import { writeSealed } from './write-sealed.js';

/** Connects a source. The credentials are tested by a job afterwards, so this waits for nobody outside. Returns the id. */
export async function createConnectorInstance(
  context: ConnectionContext,
  args: CreateConnectorInstanceArgs,
): Promise<string> {
  const { read, caller, connections } = context;
  const definition = await chooseDefinition(read, args);
  const { strategy, inbound } = definition;
  const submitted = readSubmission((strategy ?? inbound)?.configSchema, args.authenticationConfig ?? {});
  if (inbound) checkSenderKeys(inbound, submitted);
  const ingestionConfig = checkIngestionConfig(definition, args.ingestionConfig);
  checkAddress(definition, submitted.whole, ingestionConfig);

  const { tests, secrets } = connections;
  const isChosen = Boolean(strategy ?? inbound);
  const credential = isChosen ? await sealCredential(secrets, caller.tenantId, definition, submitted) : undefined;
  return writeSealed(context, credential?.places ?? [], async (tx) => {
    await requireBaseUrl(tx, definition.connector);
    const instance = tx.create(TenantConnectorInstance, {
      ...relations(tx, definition, args.groupingId),
      ...{ authenticationConfig: submitted.masked, ingestionConfig, ...(args.name && { name: args.name }) },
    });
    await tx.em.flush();
    await addWorkspaceTaps(tx, instance.id);
    if (credential) {
      const record = await submitCredential(tx, secrets, instance, undefined, credential);
      await tests.enqueue(tx, record);
    }
    tx.record('connector_instance.created', instance, { connectorId: definition.connector.id });
    return instance.id;
  });
}

function relations(
  { em }: WorkspaceTransaction,
  { connector, strategy, inbound }: Definition,
  groupingId: string,
): Partial<TenantConnectorInstance> {
  return {
    grouping: ref(em.getReference(PlatformVendorGrouping, groupingId)),
    connector: ref(em.getReference(Connector, connector.id)),
    ...(strategy && { authenticationStrategy: ref(em.getReference(ConnectorAuthStrategy, strategy.id)) }),
    ...(inbound && { inboundAuthStrategy: ref(em.getReference(InboundAuthStrategy, inbound.id)) }),
  };
}
