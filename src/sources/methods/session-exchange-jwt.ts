import type { AuthMethod } from '../auth-method.js';
import { optionalField, requiredField } from '../config-field.js';
import { exchangeSession } from '../sessions/exchange-session.js';
import { requestedScopesOf } from '../sessions/requested-scopes.js';
import { audienceOf, signAssertion } from '../sessions/sign-assertion.js';
import { signWithSession } from '../sessions/sign-with-session.js';

/** The extra parameters of the strategy contain the signed JWT as `{jwt}`. */
export const sessionExchangeJwt: AuthMethod = {
  open: async (exchange) => {
    const { connection } = exchange;
    const iss = requiredField(connection, 'clientId');
    const scopes = requestedScopesOf(connection);
    const claims = {
      iss,
      sub: optionalField(connection, 'subject') ?? iss,
      aud: audienceOf(connection),
      ...(scopes.length && { scp: scopes }),
    };
    const byKey = connection.strategy.oauth2Config?.tokenEndpointAuthMethod === 'private_key_jwt';
    // Tableau also requires the issuer in the header of the JWT.
    const options = { by: byKey ? ('privateKey' as const) : ('clientSecret' as const), header: { iss } };
    return exchangeSession(exchange, { minted: { jwt: await signAssertion(connection, claims, options) } });
  },
  sign: signWithSession,
};
