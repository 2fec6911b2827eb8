import type { Connection } from './connection.js';
import { ConnectionConfigError } from './connection-config-error.js';
import type { Session } from './session.js';
import type { Send, SourceRequest } from './source-request.js';

export interface ExchangeContext {
  readonly connection: Connection;
  readonly send: Send;
}

/**
 * An authentication method. The functions throw `ConnectionConfigError` if the configuration is incomplete, and
 * `TokenExchangeError` or `OutboundError` if an exchange fails.
 */
export interface AuthMethod {
  /**
   * Obtains a session with the configured credential. Absent if the method has no sessions or requires a browser
   * sign-in.
   */
  open?(exchange: ExchangeContext): Promise<Session>;
  /**
   * Obtains a session with the refresh token of the previous session. Absent if the method obtains every session with
   * `open`.
   */
  refresh?(exchange: ExchangeContext, previous: Session): Promise<Session>;
  /** Adds the credential to the request, in place. */
  sign(request: SourceRequest, connection: Connection, session: Session | undefined): void | Promise<void>;
}

/**
 * Sets a header. Errors of `Headers` would contain the value, so the function throws its own error. `field` is the
 * config field from which the value comes.
 */
export function setHeader({ headers }: SourceRequest, name: string, value: string, field: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new ConnectionConfigError(field, 'the value cannot be sent in a header.');
  }
}
