import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { domains } from './domains.js';
import { MIGRATION_LOCK } from './kernel/advisory-locks.js';
import { installJobs } from './kernel/install-jobs.js';

/**
 * Brings the database to the newest schema, that of the jobs too, then does what else belongs to it. Processes that start together take turns.
 * Returns the names of the migrations that ran.
 */
export async function migrate(orm: MikroORM, databaseUrl: string, andThen?: () => Promise<void>): Promise<string[]> {
  const session = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  session.on('error', () => undefined); // a loss shows in the statement that needed it
  await session.connect();
  try {
    await session.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const ran = await orm.migrator.up();
    await installJobs(
      databaseUrl,
      domains.flatMap(({ jobs = [] }) => jobs),
    );
    await andThen?.();
    return ran.map(({ name }) => name);
  } finally {
    await session.end(); // ends the lock with it
  }
}
