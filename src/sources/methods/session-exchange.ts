import type { AuthMethod } from '../auth-method.js';
import { exchangeSession } from '../sessions/exchange-session.js';
import { signWithSession } from '../sessions/sign-with-session.js';

/** Signs in with the extra parameters of the strategy. */
export const sessionExchange: AuthMethod = {
  open: (exchange) => exchangeSession(exchange, {}),
  sign: signWithSession,
};
