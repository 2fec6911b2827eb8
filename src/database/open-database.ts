import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { type AppError, DatabaseReadOnly, DatabaseUnavailable } from '../kernel/errors.js';
import type { Logger } from '../kernel/logger.js';
import { StartupError } from '../kernel/startup-error.js';
import { type EmbeddedPostgres, findRunningPostgres, startEmbeddedPostgres } from './embedded-postgres.js';
import { migrate } from './migrate.js';
import { createOrm, type DatabaseConnectionOptions, reconnectOrm } from './orm.js';
import {
  ensureRoleTimeouts,
  prepareRuntimeRole,
  requireUnprivilegedRole,
  resolveRuntimeLogin,
} from './runtime-role.js';

export interface DatabaseConfig {
  /** If undefined, the service starts an embedded PostgreSQL below `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** If undefined, the service derives the login and creates the role. */
  readonly databaseRuntimeUrl: string | undefined;
  readonly dataDir: string;
  readonly preparesStatements: boolean;
}

export interface Database {
  /** Connects with the runtime role. */
  readonly orm: MikroORM;
  /** Contains the login of the runtime role. */
  readonly url: string;
  close(): Promise<void>;
}

type OwnerTask = (owner: MikroORM) => Promise<void>;

/**
 * Migrates the database and opens it with the runtime role. `seed` runs as the owner role and writes data that the
 * runtime role can only read.
 */
export async function openDatabase(config: DatabaseConfig, log: Logger, seed: OwnerTask): Promise<Database> {
  const { databaseUrl, databaseRuntimeUrl, dataDir, preparesStatements: prepares } = config;
  const embedded = databaseUrl === undefined ? await startEmbedded(embeddedFolder(dataDir), log) : undefined;
  const url = databaseUrl ?? (embedded as EmbeddedPostgres).url;
  try {
    const login = resolveRuntimeLogin(url, databaseRuntimeUrl);
    const orm = createOrm(url, { prepares });
    try {
      await asOwner(orm, url, log, { seed, prepare: (owner) => prepareRuntimeRole(owner, login) });
      await asRuntimeRole(orm, login.url, { prepares });
    } catch (error) {
      await orm.close(true);
      throw error;
    }
    return { orm, url: login.url, close: () => closePool(orm).finally(() => embedded?.stop()) };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

/** Like `openDatabase`, but uses the embedded database of the service if the service is running. */
export async function joinDatabase(config: DatabaseConfig, log: Logger, seed: OwnerTask): Promise<Database> {
  const databaseUrl = config.databaseUrl ?? (await findRunningPostgres(embeddedFolder(config.dataDir)));
  return openDatabase({ ...config, databaseUrl }, log, seed);
}

function embeddedFolder(dataDir: string): string {
  return join(dataDir, 'postgres');
}

async function asOwner(
  owner: MikroORM,
  url: string,
  log: Logger,
  { prepare, seed }: { prepare: OwnerTask; seed: OwnerTask },
): Promise<void> {
  const ran = await migrate(owner, url, () => prepare(owner)).catch((error) => {
    throw explain(error, 'DATABASE_URL', url);
  });
  if (ran.length) log.info({ migrations: ran }, 'database migrated');
  await seed(owner);
}

async function asRuntimeRole(orm: MikroORM, url: string, options: DatabaseConnectionOptions): Promise<void> {
  try {
    await reconnectOrm(orm, url, options);
    await requireUnprivilegedRole(orm);
    if (await ensureRoleTimeouts(orm)) await reconnectOrm(orm, url, options);
  } catch (error) {
    throw explain(error, 'DATABASE_RUNTIME_URL', url);
  }
}

export async function findDatabaseFault(pool: Pool): Promise<AppError | undefined> {
  try {
    const { rows } = await pool.query('show transaction_read_only');
    return rows[0].transaction_read_only === 'on' ? new DatabaseReadOnly() : undefined;
  } catch (error) {
    return new DatabaseUnavailable(error);
  }
}

const POOL_CLOSE_TIMEOUT_MS = 5_000;

async function closePool(orm: MikroORM): Promise<void> {
  await Promise.race([orm.close(true), sleep(POOL_CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
}

async function startEmbedded(folder: string, log: Logger): Promise<EmbeddedPostgres> {
  try {
    const embedded = await startEmbeddedPostgres({ folder });
    log.info({ folder }, 'embedded PostgreSQL is running');
    return embedded;
  } catch (error) {
    throw new StartupError((error as Error).message);
  }
}

/** SQLSTATEs and error codes of the operating system. The first matching entry applies. */
const REASONS: readonly [code: RegExp, reason: (url: URL, code: string) => string][] = [
  [/^28/, ({ host, username }) => `${host} rejects the login of ${username}`],
  [/^3D000$/, ({ host, pathname }) => `${host} has no database ${pathname.slice(1)}`],
  [
    /^42501$/,
    ({ host, username, pathname }) =>
      `${username} cannot create tables in ${pathname.slice(1)} on ${host}, or cannot create a role for the service. To use an existing role, set DATABASE_RUNTIME_URL`,
  ],
  [/^E[A-Z_]+$/, ({ host }, code) => `PostgreSQL at ${host} cannot be reached (${code})`],
];

function explain(error: unknown, variable: string, address: string): StartupError {
  if (error instanceof StartupError) return error;
  const { code = '', message } = error as { code?: string; message: string };
  const url = new URL(address);
  const reason = REASONS.find(([pattern]) => pattern.test(code))?.[1](url, code);
  return new StartupError(`${variable}: ${reason ?? `PostgreSQL at ${url.host}: ${message.split('\n')[0]}`}`);
}
