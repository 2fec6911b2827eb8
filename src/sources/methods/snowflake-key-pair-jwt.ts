import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { setHeader } from '../auth-method.js';
import { requiredField } from '../config-field.js';
import type { Connection } from '../connection.js';
import { readPrivateKey } from '../sessions/private-key.js';
import { signAssertion } from '../sessions/sign-assertion.js';
import type { SourceRequest } from '../source-request.js';

/**
 * Signs each request with a JWT that contains the fingerprint of the key, because Snowflake has no token endpoint for
 * key pairs.
 */
export async function signSnowflakeRequest(request: SourceRequest, connection: Connection): Promise<void> {
  const account = accountLocator(requiredField(connection, 'account'));
  const subject = `${account}.${requiredField(connection, 'user')}`.toUpperCase();
  const { key } = readPrivateKey(connection);
  const claims = { iss: `${subject}.SHA256:${fingerprint(key)}`, sub: subject };
  const token = await signAssertion(connection, claims, { by: 'privateKey' });
  setHeader(request, 'Authorization', `Bearer ${token}`, 'privateKey');
}

/** Account identifiers in host names can contain the region, which the JWT must not contain. */
function accountLocator(account: string): string {
  const separator = account.includes('.global') ? '-' : '.';
  return account.split(separator)[0] as string;
}

function fingerprint(privateKey: KeyObject): string {
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(publicKey).digest('base64');
}
