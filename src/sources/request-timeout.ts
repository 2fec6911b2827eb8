import { DEFAULT_TIMEOUT_SECONDS } from '../catalog/model/default-timeout.js';
import type { Connection } from './connection.js';

export function requestTimeoutMs({ connector }: Pick<Connection, 'connector'>): number {
  return (connector.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1_000;
}

/** Shorter than the leases that a process holds during an exchange, so that no other process takes over a lease. */
const MAX_EXCHANGE_TIMEOUT_MS = 30_000;

/** Timeout of a token exchange or credential test. */
export function exchangeTimeoutMs(connection: Pick<Connection, 'connector'>): number {
  return Math.min(requestTimeoutMs(connection), MAX_EXCHANGE_TIMEOUT_MS);
}
