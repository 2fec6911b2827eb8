import { DEFAULT_TIMEOUT_SECONDS } from '../catalog/model/default-timeout.js';
import type { Connection } from './connection.js';

/** Milliseconds that one request to the source may take. */
export function requestTimeoutMs({ connector }: Pick<Connection, 'connector'>): number {
  return (connector.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1_000;
}

/** Milliseconds. Leases and claims are made for longer than that. */
const MAX_EXCHANGE_TIMEOUT_MS = 30_000;

/** Milliseconds that obtaining a session, or testing a credential, may take; reading may well take longer. */
export function exchangeTimeoutMs(connection: Pick<Connection, 'connector'>): number {
  return Math.min(requestTimeoutMs(connection), MAX_EXCHANGE_TIMEOUT_MS);
}
