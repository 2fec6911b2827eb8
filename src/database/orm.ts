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

/** Connections per process for requests. Jobs have a second pool of the same size. */
const POOL_SIZE = 10;

/**
 * A request that waits longer for a connection fails with UNAVAILABLE. `connect_timeout` in the URL overrides this
 * value.
 */
const ACQUIRE_TIMEOUT_MS = 3_000;

/** Includes network time. PostgreSQL cancels statements of the runtime role earlier. */
const QUERY_TIMEOUT_MS = 35_000;

export interface DatabaseConnectionOptions {
  /**
   * Whether to use named prepared statements. Defaults to true. PgBouncer with transaction pooling supports them from
   * version 1.21.
   */
  readonly prepares?: boolean;
}

/** The ORM connects on first use. */
export function createOrm(databaseUrl: string, options: DatabaseConnectionOptions = {}): MikroORM {
  return new MikroORM({
    clientUrl: databaseUrl,
    entities: domains.flatMap(({ entities }) => [...entities]),
    metadataProvider: ReflectMetadataProvider,
    discovery: { inferDefaultValues: false },
    // The foreign key of a relation contains the tenant, so the related row needs no filter.
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

/** Reuses the metadata, because the discovery of the entities is slow. */
export function reconnectOrm(
  orm: MikroORM,
  databaseUrl: string,
  options: DatabaseConnectionOptions = {},
): Promise<void> {
  const dbName = decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
  return orm.reconnect({ clientUrl: databaseUrl, dbName, driverOptions: driverOptions(databaseUrl, options) });
}

/**
 * Transaction poolers reject startup parameters such as `statement_timeout`, so these settings belong to the runtime
 * role.
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

/** `connect_timeout` is in seconds, as in PostgreSQL's own clients. Returns milliseconds. */
function connectionWaitOf(databaseUrl: string): number {
  const seconds = Number(new URL(databaseUrl).searchParams.get('connect_timeout'));
  return seconds > 0 ? seconds * 1_000 : ACQUIRE_TIMEOUT_MS;
}
