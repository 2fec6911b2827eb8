import { join } from 'node:path';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Config } from './config.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './kernel/embedded-postgres.js';
import type { Logger } from './log.js';
import { migrate } from './migrate.js';
import { createOrm } from './orm.js';
import { StartupError } from './startup-error.js';

export interface Database {
  readonly orm: MikroORM;
  close(): Promise<void>;
}

/** The database of the configuration, or an embedded one, brought to the newest schema. */
export async function openDatabase({ databaseUrl, dataDir }: Config, log: Logger): Promise<Database> {
  const embedded = databaseUrl === undefined ? await startEmbedded(join(dataDir, 'postgres'), log) : undefined;
  const url = databaseUrl ?? (embedded as EmbeddedPostgres).url;
  const orm = createOrm(url);
  const close = async (): Promise<void> => {
    await orm.close(true).finally(() => embedded?.stop());
  };
  try {
    const ran = await migrate(orm, url);
    if (ran.length) log.info({ migrations: ran }, 'the database schema is new');
    return { orm, close };
  } catch (error) {
    await close();
    throw explain(error, new URL(url));
  }
}

async function startEmbedded(folder: string, log: Logger): Promise<EmbeddedPostgres> {
  try {
    const embedded = await startEmbeddedPostgres({ folder });
    log.info({ folder }, 'embedded PostgreSQL is up');
    return embedded;
  } catch (error) {
    throw new StartupError((error as Error).message);
  }
}

/** SQLSTATE class 28 is a refused login, 3D000 a missing database, 42501 a missing right; the rest says it itself. */
function explain(error: unknown, { host, username, pathname }: URL): StartupError {
  const { code = '', message } = error as { code?: string; message: string };
  const reason = code.startsWith('28')
    ? `${host} refuses the login of ${username}`
    : code === '3D000'
      ? `${host} has no database ${pathname.slice(1)}`
      : code === '42501'
        ? `${username} may not create tables in ${pathname.slice(1)} on ${host}`
        : /^E[A-Z_]+$/.test(code)
          ? `PostgreSQL at ${host} cannot be reached (${code})`
          : `PostgreSQL at ${host}: ${message.split('\n')[0]}`;
  return new StartupError(`DATABASE_URL: ${reason}`);
}
