import { DEFAULT_TIMEOUT_SECONDS } from '../catalog/default-timeout.js';
import type { Connection } from './connection.js';

/** Milliseconds that one request to the source may take. */
export function requestTimeout({ connector }: Pick<Connection, 'connector'>): number {
  return (connector.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1_000;
}

/** Milliseconds. Leases and claims are made for longer than that. */
const LONGEST_EXCHANGE = 30_000;

/** Milliseconds that obtaining a session, or testing a credential, may take; reading may well take longer. */
export function exchangeTimeout(connection: Pick<Connection, 'connector'>): number {
  return Math.min(requestTimeout(connection), LONGEST_EXCHANGE);
}
