import type { Pool, PoolClient } from 'pg';

/**
 * Kysely releases the connection of a transaction only after the response to ROLLBACK. A connection that is lost before
 * this response would count as in use forever, and such connections would exhaust the pool.
 */
export function releaseLostConnections(pool: Pool): void {
  const taken = new WeakSet<PoolClient>();
  pool.on('acquire', (client) => taken.add(client));
  pool.on('release', (_error, client) => taken.delete(client));
  pool.on('connect', (client) => {
    client.once('end', () => {
      if (!taken.has(client)) return;
      client.release(true);
      client.release = () => undefined; // Kysely may still release the connection later.
    });
  });
}
