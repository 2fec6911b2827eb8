import { ref } from '@mikro-orm/core';
import { ConnectorAuthStrategy } from '../../catalog/model/connector-auth-strategy.js';
import { InboundAuthStrategy } from '../../catalog/model/inbound-auth-strategy.js';
import { relationEquals, relationValue } from '../../kernel/entities/tenant-table.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { SecretStore } from '../../secrets/secret-store.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import type { ChosenStrategy } from '../config/connection-definition.js';
import { CredentialMetadata } from '../credential-metadata.js';
import type { CredentialStatus } from '../credential-status.js';
import { TenantConnectorInstance } from '../tenant-connector-instance.js';
import type { NewCredential } from './seal-credential.js';
import { configLocation, SealedCredential, sessionLocation } from './sealed-credential.js';
import { senderMessagesOf } from './sender-verification.js';

/** Saves the new credential, and deletes the secrets of the previous credential record. */
export async function submitCredential(
  tx: WorkspaceTransaction,
  secrets: SecretStore,
  instance: TenantConnectorInstance,
  previousId: string | undefined,
  { id, chosen, config, session, pendingMessage }: NewCredential,
): Promise<CredentialMetadata> {
  if (previousId) await retireCredential(tx, secrets, previousId, 'superseded');
  const { strategy, inbound } = chosen;
  const message = session ? undefined : (pendingMessage ?? pendingMessageOf(chosen));
  const credential = tx.create(CredentialMetadata, {
    id,
    instance: ref(instance),
    ...(strategy && { strategy: ref(tx.em.getReference(ConnectorAuthStrategy, strategy.id)) }),
    ...(inbound && { inboundAuthStrategy: ref(tx.em.getReference(InboundAuthStrategy, inbound.id)) }),
    status: message === undefined ? 'pending' : 'manual_validation_required',
    ...(message !== undefined && { message }),
  });
  tx.create(SealedCredential, { credential: ref(credential), config, ...(session && { session, version: 1 }) });
  await tx.em.flush();
  await tx.em.nativeUpdate(
    TenantConnectorInstance,
    { id: instance.id },
    { credential: relationValue(tx.caller.tenantId, id) },
  );
  return credential;
}

/** Returns undefined if the credential can be tested immediately. */
function pendingMessageOf({ strategy, inbound }: ChosenStrategy): string | undefined {
  if (inbound) return senderMessagesOf(inbound).pending;
  return strategy && needsSignIn(strategy) ? 'The sign-in with the vendor has not been completed.' : undefined;
}

const REVOKED_MESSAGE = 'The connection and its secrets were deleted.';

/** Sets the final status of the record and deletes its secrets. */
export async function retireCredential(
  tx: WorkspaceTransaction,
  secrets: SecretStore,
  id: string,
  status: CredentialStatus & ('superseded' | 'revoked'),
): Promise<void> {
  const { em, caller } = tx;
  const sealed = await em.find(SealedCredential, relationEquals('credential_id', id));
  await em.nativeUpdate(
    CredentialMetadata,
    { id },
    {
      ...{ status, testedUntil: null as never, updatedAt: new Date(), updatedBy: caller.userId },
      ...(status === 'revoked' && { message: REVOKED_MESSAGE, errorCode: null as never }),
    },
  );
  await em.nativeDelete(SealedCredential, relationEquals('credential_id', id));
  for (const { config, session } of sealed)
    tx.afterCommit(async () => {
      await secrets.destroy(configLocation(caller.tenantId, id), config).catch(() => undefined);
      if (session) await secrets.destroy(sessionLocation(caller.tenantId, id), session).catch(() => undefined);
    });
}

export function needsSignIn({ type }: Lean<ConnectorAuthStrategy>): boolean {
  return type === 'oauth2_auth_code_pkce';
}
