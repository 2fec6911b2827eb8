import type { AuthMethod } from '../auth-method.js';
import { optionalField, requiredField } from '../config-field.js';
import type { Connection } from '../connection.js';
import { authenticateClient } from '../sessions/client-authentication.js';
import { exchangeToken } from '../sessions/exchange-token.js';
import { requestedScopesOf } from '../sessions/requested-scopes.js';
import { audienceOf, signAssertion } from '../sessions/sign-assertion.js';
import { signWithSession } from '../sessions/sign-with-session.js';

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** RFC 7523, section 2.1. */
export const oauth2JwtBearer: AuthMethod = {
  open: async (exchange) => {
    const { connection } = exchange;
    const { grantType, tokenEndpointAuthMethod } = connection.strategy.oauth2Config ?? {};
    const iss = optionalField(connection, 'clientId') ?? requiredField(connection, 'clientEmail');
    const claims = { iss, sub: subjectOf(connection) ?? iss, aud: audienceOf(connection) };
    const assertion = await signAssertion(connection, claims, { by: 'privateKey' });
    return exchangeToken(exchange, {
      form: { grant_type: grantType || GRANT_TYPE, assertion, scope: requestedScopesOf(connection).join(' ') },
      client: tokenEndpointAuthMethod ? await authenticateClient(connection) : undefined,
    });
  },
  sign: signWithSession,
};

/** Returns undefined if the token impersonates no user. */
function subjectOf(connection: Connection): string | undefined {
  const { delegatedUserField } = connection.strategy;
  return (
    optionalField(connection, 'subject') ??
    (delegatedUserField ? optionalField(connection, delegatedUserField) : undefined)
  );
}
