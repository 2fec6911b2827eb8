import { authenticateClient, type ClientAuthentication } from './client-authentication.js';
import type { Connection } from './connection.js';
import { ConnectionFault } from './connection-fault.js';
import { exchangeToken } from './exchange-token.js';
import type { AuthMethod } from './method.js';
import { authenticateNetsuiteClient } from './netsuite-client-assertion.js';
import { requestedScopes } from './requested-scopes.js';
import { signWithSession } from './session-token.js';

/** Clients that no setting describes. Their scopes are in what they sign. */
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
      const form = { grant_type, scope: requestedScopes(connection).join(' ') };
      return exchangeToken(exchange, { form, client: await authenticateClient(connection) });
    }
    if (!Object.hasOwn(HOOKS, hook)) throw new ConnectionFault('hook', 'there is no code of this name.');
    return exchangeToken(exchange, { form: { grant_type }, client: await HOOKS[hook]?.(connection) });
  },
  sign: signWithSession,
};
