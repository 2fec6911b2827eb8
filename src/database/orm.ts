import { join } from 'node:path';
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { domains } from '../domains.js';
import { JOBS_SCHEMA } from '../kernel/jobs/job-queue.js';
import { PROJECT_ROOT } from '../kernel/project-root.js';
import { releaseLostConnections } from './release-lost-connections.js';
import { UnpreparedClient } from './unprepared-client.js';

/** Connections that one process keeps to PostgreSQL at the most. */
const POOL_SIZE = 10;

/** Milliseconds after which a request that gets no connection is told that the database is away, where the address says nothing of it. */
const ACQUIRE_TIMEOUT_MS = 3_000;

/** Milliseconds that a statement may take, including its way; PostgreSQL itself cancels those of the runtime role earlier. */
const QUERY_TIMEOUT_MS = 35_000;

export interface DatabaseConnectionOptions {
  /** Whether connections prepare statements by name. Default true; poolers of transactions need PgBouncer 1.21 or newer for that. */
  readonly prepares?: boolean;
}

/** The entities of all domains on one database. Connects on first use. */
export function createOrm(databaseUrl: string, options: DatabaseConnectionOptions = {}): MikroORM {
  return new MikroORM({
    clientUrl: databaseUrl,
    entities: domains.flatMap(({ entities }) => [...entities]),
    metadataProvider: ReflectMetadataProvider,
    discovery: { inferDefaultValues: false },
    autoJoinRefsForFilters: false, // a relation cannot leave its workspace: its foreign key holds the tenant
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
    schemaGenerator: { ignoreSchema: [JOBS_SCHEMA] }, // has tables of its own, which no entity stands for
    pool: { min: 0, max: POOL_SIZE },
    driverOptions: driverOptions(databaseUrl, options),
    forceUtcTimezone: true,
    logger: () => undefined, // its messages hold SQL with bound values
  });
}

/** Goes on with another address, with all that is known of the entities: to find that out takes a while. Ends all connections. */
export function reconnectOrm(
  orm: MikroORM,
  databaseUrl: string,
  options: DatabaseConnectionOptions = {},
): Promise<void> {
  const dbName = decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
  return orm.reconnect({ clientUrl: databaseUrl, dbName, driverOptions: driverOptions(databaseUrl, options) });
}

/** No start-up parameters such as `statement_timeout`: poolers of transactions reject them. They are settings of the runtime role. */
function driverOptions(connectionString: string, { prepares = true }: DatabaseConnectionOptions) {
  return {
    connectionString, // MikroORM itself reads no more of the address than host, user and name
    connectionTimeoutMillis: connectionWaitOf(connectionString),
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    onPoolCreated: releaseLostConnections,
    ...(!prepares && { Client: UnpreparedClient }),
  };
}

/** `connect_timeout` is in seconds, as PostgreSQL's own clients read it. */
function connectionWaitOf(databaseUrl: string): number {
  const seconds = Number(new URL(databaseUrl).searchParams.get('connect_timeout'));
  return seconds > 0 ? seconds * 1_000 : ACQUIRE_TIMEOUT_MS;
}
