import type { AuthMethod } from '../auth-method.js';
import { requiredField } from '../config-field.js';
import { ConnectionConfigError } from '../connection-config-error.js';
import { exchangeSession } from '../sessions/exchange-session.js';
import { signWithSession } from '../sessions/sign-with-session.js';

/**
 * `usernameField` and `passwordField` are names of request parameters. The config fields are always `username` and
 * `password`.
 */
export const sessionExchangePassword: AuthMethod = {
  open: async (exchange) => {
    const { connection } = exchange;
    const { usernameField, passwordField } = connection.strategy.oauth2Config ?? {};
    if (!usernameField || !passwordField) {
      throw new ConnectionConfigError('oauth2Config', 'the strategy requires usernameField and passwordField.');
    }
    const parameters = {
      [usernameField]: requiredField(connection, 'username'),
      [passwordField]: requiredField(connection, 'password'),
    };
    return exchangeSession(exchange, { parameters });
  },
  sign: signWithSession,
};
