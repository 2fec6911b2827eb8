import type { AuthMethod, ExchangeContext } from '../auth-method.js';
import { requiredField } from '../config-field.js';
import type { Session } from '../session.js';
import { authenticateClient } from '../sessions/client-authentication.js';
import { exchangeToken } from '../sessions/exchange-token.js';
import { requestedScopesOf } from '../sessions/requested-scopes.js';
import { signWithSession } from '../sessions/sign-with-session.js';

/** The customer supplies the first refresh token. The source may replace the refresh token with each exchange. */
export const oauth2Refresh: AuthMethod = {
  open: async (exchange) => {
    const { connection } = exchange;
    const refreshToken = requiredField(connection, 'refreshToken');
    const grant_type = connection.strategy.oauth2Config?.grantType || 'refresh_token';
    return exchangeToken(exchange, {
      form: { grant_type, refresh_token: refreshToken, scope: requestedScopesOf(connection).join(' ') },
      client: await authenticateClient(connection),
      previous: { refreshToken },
    });
  },
  refresh: refreshSession,
  sign: signWithSession,
};

/** RFC 6749, section 6. Without a `scope` parameter, the scopes remain the same. */
export async function refreshSession(exchange: ExchangeContext, previous: Session): Promise<Session> {
  return exchangeToken(exchange, {
    form: { grant_type: 'refresh_token', refresh_token: previous.refreshToken ?? '' },
    client: await authenticateClient(exchange.connection),
    previous,
  });
}
