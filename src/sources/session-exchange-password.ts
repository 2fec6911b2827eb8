import { requiredField } from './config-field.js';
import { ConnectionFault } from './connection-fault.js';
import { exchangeSession } from './exchange-session.js';
import type { AuthMethod } from './method.js';
import { signWithSession } from './session-token.js';

/** Signs in with the config fields `username` and `password`, under the names that the source has for them. */
export const sessionExchangePassword: AuthMethod = {
  open: async (exchange) => {
    const { connection } = exchange;
    const { usernameField, passwordField } = connection.strategy.oauth2Config ?? {};
    if (!usernameField || !passwordField) {
      throw new ConnectionFault('oauth2Config', 'the strategy does not name both user name and password.');
    }
    const parameters = {
      [usernameField]: requiredField(connection, 'username'),
      [passwordField]: requiredField(connection, 'password'),
    };
    return exchangeSession(exchange, { parameters });
  },
  sign: signWithSession,
};
