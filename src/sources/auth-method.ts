import type { Connection } from './connection.js';
import { ConnectionConfigError } from './connection-config-error.js';
import type { Session } from './session.js';
import type { Send, SourceRequest } from './source-request.js';

export interface ExchangeContext {
  readonly connection: Connection;
  readonly send: Send;
}

/**
 * The functions throw `ConnectionConfigError` if the configuration is incomplete or invalid, and `TokenExchangeError`
 * or `OutboundError` if an exchange fails.
 */
export interface AuthMethod {
  /** Absent if the method has no sessions or requires a browser sign-in. */
  open?(exchange: ExchangeContext): Promise<Session>;
  /** Absent if the method does not use refresh tokens. */
  refresh?(exchange: ExchangeContext, previous: Session): Promise<Session>;
  /** Adds the credential to the request, in place. */
  sign(request: SourceRequest, connection: Connection, session: Session | undefined): void | Promise<void>;
}

/**
 * Errors of `Headers` would contain the value, so this function throws `ConnectionConfigError`, which contains the name
 * of the config field instead.
 */
export function setHeader({ headers }: SourceRequest, name: string, value: string, field: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new ConnectionConfigError(field, 'the value cannot be sent in a header.');
  }
}
