import { audienceOf, signAssertion } from './assertion.js';
import { authenticateClient } from './client-authentication.js';
import { optionalField, requiredField } from './config-field.js';
import type { Connection } from './connection.js';
import { exchangeToken } from './exchange-token.js';
import type { AuthMethod } from './method.js';
import { requestedScopes } from './requested-scopes.js';
import { signWithSession } from './session-token.js';

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** RFC 7523, section 2.1. The assertion shows who asks; the client says so a second time only where the strategy wants it. */
export const oauth2JwtBearer: AuthMethod = {
  open: async (exchange) => {
    const { connection } = exchange;
    const { grantType, tokenEndpointAuthMethod } = connection.strategy.oauth2Config ?? {};
    const iss = optionalField(connection, 'clientId') ?? requiredField(connection, 'clientEmail');
    const claims = { iss, sub: subjectOf(connection) ?? iss, aud: audienceOf(connection) };
    const assertion = await signAssertion(connection, claims, { by: 'privateKey' });
    return exchangeToken(exchange, {
      form: { grant_type: grantType || GRANT_TYPE, assertion, scope: requestedScopes(connection).join(' ') },
      client: tokenEndpointAuthMethod ? await authenticateClient(connection) : undefined,
    });
  },
  sign: signWithSession,
};

/** Whom the token is for. */
function subjectOf(connection: Connection): string | undefined {
  const { delegatedUserField } = connection.strategy;
  return (
    optionalField(connection, 'subject') ??
    (delegatedUserField ? optionalField(connection, delegatedUserField) : undefined)
  );
}
