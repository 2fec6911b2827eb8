import type { AuthMethod } from '../auth-method.js';
import type { Connection } from '../connection.js';
import { ConnectionConfigError } from '../connection-config-error.js';
import { authenticateClient, type ClientAuthentication } from '../sessions/client-authentication.js';
import { exchangeToken } from '../sessions/exchange-token.js';
import { requestedScopesOf } from '../sessions/requested-scopes.js';
import { signWithSession } from '../sessions/sign-with-session.js';
import { authenticateNetsuiteClient } from './netsuite-client-assertion.js';

/**
 * Client authentication that settings cannot describe. The assertion of a hook contains the scopes, so the form omits
 * them.
 */
const HOOKS: Readonly<Record<string, (connection: Connection) => Promise<ClientAuthentication>>> = {
  netsuite_client_assertion: authenticateNetsuiteClient,
};

/** RFC 6749, section 4.4. */
export const oauth2ClientCredentials: AuthMethod = {
  open: async (exchange) => {
    const { connection } = exchange;
    const { hook, oauth2Config } = connection.strategy;
    const grant_type = oauth2Config?.grantType || 'client_credentials';
    if (!hook) {
      const form = { grant_type, scope: requestedScopesOf(connection).join(' ') };
      return exchangeToken(exchange, { form, client: await authenticateClient(connection) });
    }
    if (!Object.hasOwn(HOOKS, hook)) throw new ConnectionConfigError('hook', 'the hook does not exist.');
    return exchangeToken(exchange, { form: { grant_type }, client: await HOOKS[hook]?.(connection) });
  },
  sign: signWithSession,
};
