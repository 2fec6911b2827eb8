import type { Pool, PoolClient } from 'pg';

/**
 * Gives lost connections back to their pool. Kysely does so with a transaction's connection only once ROLLBACK has been answered, so one
 * that is lost meanwhile would count as taken for good, and after as many of them as the pool holds nothing would work.
 */
export function releaseLostConnections(pool: Pool): void {
  const taken = new WeakSet<PoolClient>();
  pool.on('acquire', (client) => taken.add(client));
  pool.on('release', (_error, client) => taken.delete(client));
  pool.on('connect', (client) => {
    client.once('end', () => {
      if (!taken.has(client)) return;
      client.release(true);
      client.release = () => undefined; // whoever had it may give it back as well
    });
  });
}
