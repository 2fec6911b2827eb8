import { audienceOf, signAssertion } from './assertion.js';
import { asClientAssertion, type ClientAuthentication } from './client-authentication.js';
import { requiredField } from './config-field.js';
import type { Connection } from './connection.js';
import { requestedScopes } from './requested-scopes.js';

/** NetSuite takes PS256 for RSA keys, and reads the scopes out of the assertion. */
export async function authenticateNetsuiteClient(connection: Connection): Promise<ClientAuthentication> {
  const claims = {
    iss: requiredField(connection, 'clientId'),
    aud: audienceOf(connection),
    scope: requestedScopes(connection),
  };
  return asClientAssertion(await signAssertion(connection, claims, { by: 'privateKey', rsaAlgorithm: 'PS256' }));
}
