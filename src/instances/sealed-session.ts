import type { Sealed, SecretStore } from '../secrets/secret-store.js';
import type { Session } from '../sources/session.js';
import { sessionPlace } from './sealed-credential.js';

/** A session is sealed as one text. */
export function sealSession(
  store: SecretStore,
  tenantId: string,
  credentialId: string,
  session: Session,
): Promise<Sealed> {
  return store.seal(sessionPlace(tenantId, credentialId), { session: JSON.stringify(session) });
}

/** Throws `SecretsUnreadable`. */
export async function openSession(
  store: SecretStore,
  tenantId: string,
  credentialId: string,
  sealed: Sealed,
): Promise<Session> {
  const { session } = await store.open(sessionPlace(tenantId, credentialId), sealed);
  return JSON.parse(session as string);
}
