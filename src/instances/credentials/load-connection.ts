import type { Lean, Reader } from '../../kernel/reading/reader.js';
import type { SecretStore, Secrets } from '../../secrets/secret-store.js';
import type { Connection } from '../../sources/connection.js';
import { readConnectionDefinition } from '../config/connection-definition.js';
import { CredentialMetadata } from '../credential-metadata.js';
import { findInstance } from '../find-instance.js';
import { InactiveCredentialError } from './inactive-credential-error.js';
import { configLocation, SealedCredential } from './sealed-credential.js';

export interface StoredConnection extends Connection {
  readonly instanceId: string;
}

/** Throws `InactiveCredentialError` and `SecretsUnreadable`. */
export async function loadConnection(
  read: Reader,
  secrets: SecretStore,
  tenantId: string,
  credentialId: string,
): Promise<StoredConnection> {
  const credential = await read.byId(CredentialMetadata, credentialId);
  const instance = credential && (await findInstance(read, credential.instance));
  if (!instance) throw new InactiveCredentialError('unknown');
  if (instance.credential !== credentialId) throw new InactiveCredentialError('superseded');
  const { strategy, ...definition } = await readConnectionDefinition(read, instance.connector, credential.strategy);
  const opened = await openSubmittedSecrets(read, secrets, tenantId, credentialId);
  return {
    ...definition,
    instanceId: instance.id,
    strategy: strategy as Connection['strategy'],
    config: { ...instance.authenticationConfig, ...opened },
    ingestionConfig: instance.ingestionConfig ?? {},
  };
}

/** Throws `InactiveCredentialError` and `SecretsUnreadable`. */
export async function openSubmittedSecrets(
  read: Reader,
  secrets: SecretStore,
  tenantId: string,
  credentialId: string,
): Promise<Secrets> {
  const sealed = await readSealedCredential(read, credentialId);
  return secrets.open(configLocation(tenantId, credentialId), sealed.config);
}

export async function readSealedCredential(read: Reader, credentialId: string): Promise<Lean<SealedCredential>> {
  const [sealed] = await read.many(SealedCredential, 'credential', credentialId);
  if (!sealed) throw new InactiveCredentialError('superseded');
  return sealed;
}
