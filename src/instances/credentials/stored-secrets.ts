import { AppError } from '../../kernel/errors.js';
import { decodeId } from '../../kernel/ids.js';
import type { Reader } from '../../kernel/reading/reader.js';
import type { SecretStore, Secrets } from '../../secrets/secret-store.js';
import type { Session } from '../../sources/session.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { readSealedCredential } from './load-connection.js';
import { configLocation } from './sealed-credential.js';
import { openSession } from './sealed-session.js';

export interface StoredSecrets {
  readonly secrets: Secrets;
  /** What was obtained with them. */
  readonly session?: Session | undefined;
  /** Of the session. */
  readonly version: number;
}

const LOCK_UNLEASED_SESSION = `
select id from sealed_credential
where tenant_id = ? and credential_id = ? and version = ? and (lease_holder is null or lease_until < now())
for update`;

/**
 * The secrets of a credential, for the next one to keep. A source may take a refresh token once only, so in place of one that was
 * submitted stands the one that is good by now. Throws `SecretsUnreadable`.
 */
export async function readStoredSecrets(
  read: Reader,
  store: SecretStore,
  tenantId: string,
  credentialId: string,
): Promise<StoredSecrets> {
  const { config, session: sealed, version } = await readSealedCredential(read, credentialId);
  const secrets = await store.open(configLocation(tenantId, credentialId), config);
  if (!sealed) return { secrets, version };
  const session = await openSession(store, tenantId, credentialId, sealed);
  if (!secrets.refreshToken || !session.refreshToken) return { secrets, session, version };
  return { secrets: { ...secrets, refreshToken: session.refreshToken }, session, version };
}

/** Throws CONFLICT where the session was renewed since, or is being renewed. Nobody renews it before the transaction ends. */
export async function requireUnchangedSession(
  { em, caller }: WorkspaceTransaction,
  credentialId: string,
  version: number,
): Promise<void> {
  const held = await em.execute(LOCK_UNLEASED_SESSION, [decodeId(caller.tenantId), decodeId(credentialId), version]);
  if (!held.length)
    throw new AppError('CONFLICT', 'The session of the credential is being renewed; try again shortly.');
}
