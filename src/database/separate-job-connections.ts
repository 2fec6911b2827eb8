import { Pool } from 'pg';
import { isInJob } from '../kernel/jobs/in-job.js';
import { releaseLostConnections } from './release-lost-connections.js';

/**
 * With one pool, syncs could use all connections, and requests would wait. In a test with eight concurrent steps, a
 * fifth of the steps' transactions found no free connection.
 */
export function separateJobConnections(pool: Pool): void {
  const jobPool = new Pool(pool.options);
  releaseLostConnections(jobPool);
  // Ignores the loss of the connection, because the next statement throws.
  jobPool.on('error', () => undefined);
  jobPool.on('connect', (client) => client.on('error', () => undefined));
  const connect = pool.connect.bind(pool) as (...callback: unknown[]) => unknown;
  const end = pool.end.bind(pool);
  Object.assign(pool, {
    connect: (...callback: unknown[]) => (isInJob() ? jobPool.connect(...(callback as [])) : connect(...callback)),
    end: async () => void (await Promise.all([end(), jobPool.end()])),
  });
}
