import type { AuthMethod } from '../auth-method.js';
import { exchangeSession } from '../sessions/exchange-session.js';
import { signWithSession } from '../sessions/sign-with-session.js';

export const sessionExchange: AuthMethod = {
  open: (exchange) => exchangeSession(exchange, {}),
  sign: signWithSession,
};
