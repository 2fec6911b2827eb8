import { ref } from '@mikro-orm/core';
import { ConnectorAuthStrategy } from '../catalog/connector-auth-strategy.js';
import { InboundAuthStrategy } from '../catalog/inbound-auth-strategy.js';
import type { Lean } from '../kernel/reading.js';
import { pointsAt, relationTo } from '../kernel/tenant-table.js';
import type { SecretStore } from '../secrets/secret-store.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import type { ChosenStrategy } from './chosen-definition.js';
import { CredentialMetadata } from './credential-metadata.js';
import type { CredentialStatus } from './credential-status.js';
import type { NewCredential } from './seal-credential.js';
import { configPlace, SealedCredential, sessionPlace } from './sealed-credential.js';
import { senderWords } from './sender-proof.js';
import { TenantConnectorInstance } from './tenant-connector-instance.js';

/** Each submission is a record of its own. It takes the place of the one before, whose secrets are let go of. */
export async function submitCredential(
  tx: WorkspaceTransaction,
  secrets: SecretStore,
  instance: TenantConnectorInstance,
  previousId: string | undefined,
  { id, chosen, config, session, awaits }: NewCredential,
): Promise<CredentialMetadata> {
  if (previousId) await retireCredential(tx, secrets, previousId, 'superseded');
  const { strategy, inbound } = chosen;
  const message = session ? undefined : (awaits ?? whatIsMissing(chosen));
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
    { credential: relationTo(tx.caller.tenantId, id) },
  );
  return credential;
}

/** What is known before anybody can know whether it works; nothing for what a test can tell. */
function whatIsMissing({ strategy, inbound }: ChosenStrategy): string | undefined {
  if (inbound) return senderWords(inbound).awaits;
  return strategy && needsSignIn(strategy) ? 'Nobody has signed in with the vendor yet.' : undefined;
}

const REVOKED = 'The connection was deleted, and its secrets with it.';

/** The record stays, its secrets do not. */
export async function retireCredential(
  tx: WorkspaceTransaction,
  secrets: SecretStore,
  id: string,
  status: CredentialStatus & ('superseded' | 'revoked'),
): Promise<void> {
  const { em, caller } = tx;
  const sealed = await em.find(SealedCredential, pointsAt('credential_id', id));
  await em.nativeUpdate(
    CredentialMetadata,
    { id },
    {
      ...{ status, testedUntil: null as never, updatedAt: new Date(), updatedBy: caller.userId },
      ...(status === 'revoked' && { message: REVOKED, errorCode: null as never }),
    },
  );
  await em.nativeDelete(SealedCredential, pointsAt('credential_id', id));
  for (const { config, session } of sealed)
    tx.afterCommit(async () => {
      await secrets.destroy(configPlace(caller.tenantId, id), config).catch(() => undefined);
      if (session) await secrets.destroy(sessionPlace(caller.tenantId, id), session).catch(() => undefined);
    });
}

export function needsSignIn({ type }: Lean<ConnectorAuthStrategy>): boolean {
  return type === 'oauth2_auth_code_pkce';
}
