import type { Lean, Reader } from '../kernel/reading.js';
import type { SecretStore, Secrets } from '../secrets/secret-store.js';
import type { Connection } from '../sources/connection.js';
import { readDefinition } from './chosen-definition.js';
import { CredentialGone } from './credential-gone.js';
import { CredentialMetadata } from './credential-metadata.js';
import { findInstance } from './existing-instance.js';
import { configPlace, SealedCredential } from './sealed-credential.js';

/** A connection as it is kept. */
export interface StoredConnection extends Connection {
  readonly instanceId: string;
}

/** The connection of a current credential record, its secrets open. Throws `CredentialGone`, and `SecretsUnreadable`. */
export async function loadConnection(
  read: Reader,
  secrets: SecretStore,
  tenantId: string,
  credentialId: string,
): Promise<StoredConnection> {
  const credential = await read.byId(CredentialMetadata, credentialId);
  const instance = credential && (await findInstance(read, credential.instance));
  if (!instance) throw new CredentialGone('unknown');
  if (instance.credential !== credentialId) throw new CredentialGone('superseded');
  const { strategy, ...definition } = await readDefinition(read, instance.connector, credential.strategy);
  const opened = await openConfig(read, secrets, tenantId, credentialId);
  return {
    ...definition,
    instanceId: instance.id,
    strategy: strategy as Connection['strategy'],
    config: { ...instance.authenticationConfig, ...opened },
    ingestionConfig: instance.ingestionConfig ?? {},
  };
}

/** The secrets that were submitted with a credential. */
export async function openConfig(
  read: Reader,
  secrets: SecretStore,
  tenantId: string,
  credentialId: string,
): Promise<Secrets> {
  const sealed = await readSealed(read, credentialId);
  return secrets.open(configPlace(tenantId, credentialId), sealed.config);
}

export async function readSealed(read: Reader, credentialId: string): Promise<Lean<SealedCredential>> {
  const [sealed] = await read.many(SealedCredential, 'credential', credentialId);
  if (!sealed) throw new CredentialGone('superseded');
  return sealed;
}
