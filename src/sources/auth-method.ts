import type { Connection } from './connection.js';
import { ConnectionConfigError } from './connection-config-error.js';
import type { Session } from './session.js';
import type { Send, SourceRequest } from './source-request.js';

/** What an exchange of credentials needs. */
export interface ExchangeContext {
  readonly connection: Connection;
  readonly send: Send;
}

/**
 * How one method of authentication speaks to a source. It throws `ConnectionConfigError` where the configuration lacks what it
 * needs, and `TokenExchangeError` or `OutboundError` where an exchange fails.
 */
export interface AuthMethod {
  /** Obtains a session from what is configured. Missing where the credential itself is sent, or somebody has to sign in. */
  open?(exchange: ExchangeContext): Promise<Session>;
  /** Obtains a session by the refresh token of the one before. Missing where a session is opened anew instead. */
  refresh?(exchange: ExchangeContext, previous: Session): Promise<Session>;
  /** Puts the credential on the request, which it changes. */
  sign(request: SourceRequest, connection: Connection, session: Session | undefined): void | Promise<void>;
}

/** Sets a header without ever quoting it: what `Headers` throws repeats the value. `field` is where the value comes from. */
export function setHeader({ headers }: SourceRequest, name: string, value: string, field: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new ConnectionConfigError(field, 'the value cannot be sent in a header.');
  }
}
