import type { Pool, PoolClient } from 'pg';

/**
 * Returns lost connections to their pool. Kysely releases the connection of a transaction only after the response to
 * ROLLBACK. If a connection is lost before that response, the pool would count it as in use forever. Such connections
 * would exhaust the pool.
 */
export function releaseLostConnections(pool: Pool): void {
  const taken = new WeakSet<PoolClient>();
  pool.on('acquire', (client) => taken.add(client));
  pool.on('release', (_error, client) => taken.delete(client));
  pool.on('connect', (client) => {
    client.once('end', () => {
      if (!taken.has(client)) return;
      client.release(true);
      client.release = () => undefined; // Kysely may later release the connection, too.
    });
  });
}
