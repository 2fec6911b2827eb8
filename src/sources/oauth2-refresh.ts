import { authenticateClient } from './client-authentication.js';
import { requiredField } from './config-field.js';
import { exchangeToken } from './exchange-token.js';
import type { AuthMethod, Exchange } from './method.js';
import { requestedScopes } from './requested-scopes.js';
import type { Session } from './session.js';
import { signWithSession } from './session-token.js';

/** The first refresh token is the customer's; later ones are those that the source gave in its place. */
export const oauth2Refresh: AuthMethod = {
  open: async (exchange) => {
    const { connection } = exchange;
    const refreshToken = requiredField(connection, 'refreshToken');
    const grant_type = connection.strategy.oauth2Config?.grantType || 'refresh_token';
    return exchangeToken(exchange, {
      form: { grant_type, refresh_token: refreshToken, scope: requestedScopes(connection).join(' ') },
      client: await authenticateClient(connection),
      previous: { refreshToken },
    });
  },
  refresh: refreshSession,
  sign: signWithSession,
};

/** RFC 6749, section 6. Scopes are left out, which asks for the same as before. */
export async function refreshSession(exchange: Exchange, previous: Session): Promise<Session> {
  return exchangeToken(exchange, {
    form: { grant_type: 'refresh_token', refresh_token: previous.refreshToken ?? '' },
    client: await authenticateClient(exchange.connection),
    previous,
  });
}
