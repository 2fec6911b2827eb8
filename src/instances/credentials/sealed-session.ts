import type { SealedSecrets, SecretStore } from '../../secrets/secret-store.js';
import type { Session } from '../../sources/session.js';
import { sessionLocation } from './sealed-credential.js';

export function sealSession(
  store: SecretStore,
  tenantId: string,
  credentialId: string,
  session: Session,
): Promise<SealedSecrets> {
  return store.seal(sessionLocation(tenantId, credentialId), { session: JSON.stringify(session) });
}

/** Throws `SecretsUnreadable`. */
export async function openSession(
  store: SecretStore,
  tenantId: string,
  credentialId: string,
  sealed: SealedSecrets,
): Promise<Session> {
  const { session } = await store.open(sessionLocation(tenantId, credentialId), sealed);
  return JSON.parse(session as string);
}
