import { join } from 'node:path';
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { domains } from '../domains.js';
import { JOBS_SCHEMA } from '../kernel/jobs/job-queue.js';
import { PROJECT_ROOT } from '../kernel/project-root.js';
import { releaseLostConnections } from './release-lost-connections.js';
import { separateJobConnections } from './separate-job-connections.js';
import { TransactionClient } from './transaction-client.js';
import { UnpreparedClient } from './unprepared-client.js';

/**
 * Maximum number of PostgreSQL connections per process for requests. Jobs have the same number of further connections.
 */
const POOL_SIZE = 10;

/**
 * Milliseconds that a request waits for a connection. The request then fails with UNAVAILABLE. `connect_timeout` in the
 * URL overrides this value.
 */
const ACQUIRE_TIMEOUT_MS = 3_000;

/**
 * Maximum time of a statement in milliseconds, including network time. For the runtime role, PostgreSQL itself cancels
 * statements earlier.
 */
const QUERY_TIMEOUT_MS = 35_000;

export interface DatabaseConnectionOptions {
  /**
   * Whether connections use named prepared statements. Defaults to true. PgBouncer supports them with transaction
   * pooling from version 1.21.
   */
  readonly prepares?: boolean;
}

/** Creates the ORM with the entities of all domains. The ORM connects on first use. */
export function createOrm(databaseUrl: string, options: DatabaseConnectionOptions = {}): MikroORM {
  return new MikroORM({
    clientUrl: databaseUrl,
    entities: domains.flatMap(({ entities }) => [...entities]),
    metadataProvider: ReflectMetadataProvider,
    discovery: { inferDefaultValues: false },
    // The foreign key of a relation contains the tenant, so a relation cannot leave its workspace.
    autoJoinRefsForFilters: false,
    extensions: [Migrator],
    preferTs: false,
    migrations: {
      path: join(import.meta.dirname, '..', '..', 'migrations'),
      pathTs: join(PROJECT_ROOT, 'migrations'),
      emit: 'ts',
      snapshotName: 'snapshot',
      snapshotOnMigrate: false,
      fileName: (timestamp, name) => `${timestamp}_${name}`,
    },
    schemaGenerator: { ignoreSchema: [JOBS_SCHEMA] }, // pg-boss manages its own tables, which have no entities.
    pool: { min: 0, max: POOL_SIZE },
    driverOptions: driverOptions(databaseUrl, options),
    forceUtcTimezone: true,
    logger: () => undefined, // Log messages of MikroORM contain SQL with bound values.
  });
}

/** Closes all connections and connects to another URL. Reuses the metadata, because their discovery is slow. */
export function reconnectOrm(
  orm: MikroORM,
  databaseUrl: string,
  options: DatabaseConnectionOptions = {},
): Promise<void> {
  const dbName = decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
  return orm.reconnect({ clientUrl: databaseUrl, dbName, driverOptions: driverOptions(databaseUrl, options) });
}

/**
 * Omits startup parameters such as `statement_timeout`, because transaction poolers reject them. The runtime role has
 * these settings instead.
 */
function driverOptions(connectionString: string, { prepares = true }: DatabaseConnectionOptions) {
  return {
    connectionString, // MikroORM itself reads only host, user and database name from the URL.
    connectionTimeoutMillis: connectionWaitOf(connectionString),
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    onPoolCreated: (pool: Pool) => {
      releaseLostConnections(pool);
      separateJobConnections(pool);
    },
    Client: prepares ? TransactionClient : UnpreparedClient,
  };
}

/** Reads the `connect_timeout` of the URL. The parameter is in seconds, as in PostgreSQL's own clients. */
function connectionWaitOf(databaseUrl: string): number {
  const seconds = Number(new URL(databaseUrl).searchParams.get('connect_timeout'));
  return seconds > 0 ? seconds * 1_000 : ACQUIRE_TIMEOUT_MS;
}
