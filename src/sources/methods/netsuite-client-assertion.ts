import { requiredField } from '../config-field.js';
import type { Connection } from '../connection.js';
import { asClientAssertion, type ClientAuthentication } from '../sessions/client-authentication.js';
import { requestedScopesOf } from '../sessions/requested-scopes.js';
import { audienceOf, signAssertion } from '../sessions/sign-assertion.js';

/** NetSuite requires PS256 for RSA keys, and reads the scopes from the assertion. */
export async function authenticateNetsuiteClient(connection: Connection): Promise<ClientAuthentication> {
  const claims = {
    iss: requiredField(connection, 'clientId'),
    aud: audienceOf(connection),
    scope: requestedScopesOf(connection),
  };
  return asClientAssertion(await signAssertion(connection, claims, { by: 'privateKey', rsaAlgorithm: 'PS256' }));
}
