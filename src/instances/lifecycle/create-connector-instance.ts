import { ref } from '@mikro-orm/core';
import { Connector } from '../../catalog/model/connector.js';
import { ConnectorAuthStrategy } from '../../catalog/model/connector-auth-strategy.js';
import { InboundAuthStrategy } from '../../catalog/model/inbound-auth-strategy.js';
import { PlatformVendorGrouping } from '../../catalog/model/platform-vendor-grouping.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import {
  type ConnectionDefinition,
  readOfferedDefinition,
  validateIngestionConfig,
} from '../config/connection-definition.js';
import { requireUnchangedBaseUrl } from '../config/effective-base-url.js';
import { parseSubmittedConfig } from '../config/submitted-config.js';
import { validateSenderKeys } from '../config/validate-sender-keys.js';
import { validateSourceAddress } from '../config/validate-source-address.js';
import { commitSealedSecrets } from '../credentials/commit-sealed-secrets.js';
import type { ConnectionContext } from '../credentials/connection-context.js';
import { sealCredential } from '../credentials/seal-credential.js';
import { submitCredential } from '../credentials/submit-credential.js';
import { TenantConnectorInstance } from '../tenant-connector-instance.js';
import { addInstanceTaps } from './add-instance-taps.js';
import type { CreateConnectorInstanceArgs } from './connector-instance.inputs.js';

/** Does not call the vendor, because a job tests the credentials afterwards. */
export async function createConnectorInstance(
  context: ConnectionContext,
  args: CreateConnectorInstanceArgs,
): Promise<string> {
  const { read, caller, connections } = context;
  const definition = await readOfferedDefinition(read, args);
  const { strategy, inbound } = definition;
  const submitted = parseSubmittedConfig((strategy ?? inbound)?.configSchema, args.authenticationConfig ?? {});
  if (inbound) validateSenderKeys(inbound, submitted);
  const ingestionConfig = validateIngestionConfig(definition, args.ingestionConfig);
  validateSourceAddress(definition, submitted.complete, ingestionConfig);

  const { credentialTester, secrets } = connections;
  const isChosen = Boolean(strategy ?? inbound);
  const credential = isChosen ? await sealCredential(secrets, caller.tenantId, definition, submitted) : undefined;
  return commitSealedSecrets(context, credential?.sealedSecrets ?? [], async (tx) => {
    await requireUnchangedBaseUrl(tx, definition.connector);
    const instance = tx.create(TenantConnectorInstance, {
      ...catalogReferences(tx, definition, args.groupingId),
      ...{ authenticationConfig: submitted.masked, ingestionConfig, ...(args.name && { name: args.name }) },
    });
    await tx.em.flush();
    await addInstanceTaps(tx, instance.id);
    if (credential) {
      const record = await submitCredential(tx, secrets, instance, undefined, credential);
      await credentialTester.enqueue(tx, record);
    }
    tx.recordAudit('connector_instance.created', instance, { connectorId: definition.connector.id });
    return instance.id;
  });
}

function catalogReferences(
  { em }: WorkspaceTransaction,
  { connector, strategy, inbound }: ConnectionDefinition,
  groupingId: string,
): Partial<TenantConnectorInstance> {
  return {
    grouping: ref(em.getReference(PlatformVendorGrouping, groupingId)),
    connector: ref(em.getReference(Connector, connector.id)),
    ...(strategy && { authenticationStrategy: ref(em.getReference(ConnectorAuthStrategy, strategy.id)) }),
    ...(inbound && { inboundAuthStrategy: ref(em.getReference(InboundAuthStrategy, inbound.id)) }),
  };
}
