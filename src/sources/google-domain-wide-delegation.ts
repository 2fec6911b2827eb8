import { audienceOf, signAssertion } from './assertion.js';
import { requiredField } from './config-field.js';
import { ConnectionFault } from './connection-fault.js';
import { exchangeToken } from './exchange-token.js';
import type { AuthMethod } from './method.js';
import { requestedScopes } from './requested-scopes.js';
import { signWithSession } from './session-token.js';

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** A JWT bearer grant whose assertion names the scopes, and whose subject is the user that the service account acts as. */
export const googleDomainWideDelegation: AuthMethod = {
  open: async (exchange) => {
    const { connection } = exchange;
    const { delegatedUserField, oauth2Config } = connection.strategy;
    if (!delegatedUserField) throw new ConnectionFault('delegatedUserField', 'the strategy names no field.');
    const claims = {
      iss: requiredField(connection, 'clientEmail'),
      sub: requiredField(connection, delegatedUserField),
      aud: audienceOf(connection),
      scope: requestedScopes(connection).join(' '),
    };
    const assertion = await signAssertion(connection, claims, { by: 'privateKey' });
    return exchangeToken(exchange, { form: { grant_type: oauth2Config?.grantType || GRANT_TYPE, assertion } });
  },
  sign: signWithSession,
};
