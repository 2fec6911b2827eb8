import type { AuthMethod } from '../auth-method.js';
import { requiredField } from '../config-field.js';
import { ConnectionConfigError } from '../connection-config-error.js';
import { exchangeToken } from '../sessions/exchange-token.js';
import { requestedScopesOf } from '../sessions/requested-scopes.js';
import { audienceOf, signAssertion } from '../sessions/sign-assertion.js';
import { signWithSession } from '../sessions/sign-with-session.js';

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/**
 * A JWT bearer grant. The assertion contains the scopes, and its subject is the user that the service account
 * impersonates.
 */
export const googleDomainWideDelegation: AuthMethod = {
  open: async (exchange) => {
    const { connection } = exchange;
    const { delegatedUserField, oauth2Config } = connection.strategy;
    if (!delegatedUserField)
      throw new ConnectionConfigError('delegatedUserField', 'the definition of the strategy lacks this setting.');
    const claims = {
      iss: requiredField(connection, 'clientEmail'),
      sub: requiredField(connection, delegatedUserField),
      aud: audienceOf(connection),
      scope: requestedScopesOf(connection).join(' '),
    };
    const assertion = await signAssertion(connection, claims, { by: 'privateKey' });
    return exchangeToken(exchange, { form: { grant_type: oauth2Config?.grantType || GRANT_TYPE, assertion } });
  },
  sign: signWithSession,
};
