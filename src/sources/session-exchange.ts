import { exchangeSession } from './exchange-session.js';
import type { AuthMethod } from './method.js';
import { signWithSession } from './session-token.js';

/** Signs in with what the extra parameters of the strategy name. */
export const sessionExchange: AuthMethod = {
  open: (exchange) => exchangeSession(exchange, {}),
  sign: signWithSession,
};
