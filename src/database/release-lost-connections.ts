import type { Pool, PoolClient } from 'pg';

/**
 * Returns lost connections to their pool. Kysely releases a transaction's connection only after the response to
 * ROLLBACK. Without this module, a connection that is lost before that response would count as in use indefinitely.
 * Such connections would exhaust the pool.
 */
export function releaseLostConnections(pool: Pool): void {
  const taken = new WeakSet<PoolClient>();
  pool.on('acquire', (client) => taken.add(client));
  pool.on('release', (_error, client) => taken.delete(client));
  pool.on('connect', (client) => {
    client.once('end', () => {
      if (!taken.has(client)) return;
      client.release(true);
      client.release = () => undefined; // Kysely may release the connection too
    });
  });
}
