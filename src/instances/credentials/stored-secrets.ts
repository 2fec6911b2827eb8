import { AppError } from '../../kernel/errors.js';
import { decodeId } from '../../kernel/ids.js';
import type { Reader } from '../../kernel/reading/reader.js';
import type { SecretStore, Secrets } from '../../secrets/secret-store.js';
import type { Session } from '../../sources/session.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { readSealedCredential } from './load-connection.js';
import { configLocation, sessionLease } from './sealed-credential.js';
import { openSession } from './sealed-session.js';

export interface StoredSecrets {
  readonly secrets: Secrets;
  readonly session?: Session | undefined;
  /** Increases by one with each new session of the credential. */
  readonly version: number;
}

const LOCK_UNLEASED_SESSION = `
select id from sealed_credential
where tenant_id = ? and credential_id = ? and version = ? and ${sessionLease.isFree}
for update`;

/**
 * Replaces a submitted refresh token with the newer token of the session, because a source may accept a refresh token
 * only once. Throws `InactiveCredentialError` and `SecretsUnreadable`.
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

/**
 * Throws CONFLICT if another caller has renewed the session or is renewing it. Prevents a renewal until the transaction
 * ends.
 */
export async function requireUnchangedSession(
  { em, caller }: WorkspaceTransaction,
  credentialId: string,
  version: number,
): Promise<void> {
  const held = await em.execute(LOCK_UNLEASED_SESSION, [decodeId(caller.tenantId), decodeId(credentialId), version]);
  if (!held.length)
    throw new AppError(
      'CONFLICT',
      'The session of the credential was just renewed, or is being renewed. Try again shortly.',
    );
}
