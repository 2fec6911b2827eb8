import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { domains } from '../domains.js';
import { MIGRATION_LOCK } from '../kernel/concurrency/advisory-locks.js';
import { migrateJobQueues } from './migrate-job-queues.js';

/** Milliseconds between two attempts to acquire the migration lock. */
const LOCK_POLL_MS = 100;

/**
 * Brings the database to the newest schema, that of the jobs too, then does what else belongs to it. Processes that start together take turns.
 * Returns the names of the migrations that ran.
 */
export function migrate(orm: MikroORM, databaseUrl: string, andThen?: () => Promise<void>): Promise<string[]> {
  return withMigrationLock(databaseUrl, async () => {
    const ran = await orm.migrator.up();
    await migrateJobQueues(
      databaseUrl,
      domains.flatMap(({ jobs = [] }) => jobs),
    );
    await andThen?.();
    return ran.map(({ name }) => name);
  });
}

/**
 * The lock belongs to a transaction, not to a session, which a pooler of transactions would share with other clients. A process that waits
 * polls instead of keeping a connection, because the holder of the lock needs further ones from what may be a small pool.
 */
async function withMigrationLock<Result>(databaseUrl: string, work: () => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // a loss shows in the statement that needed it
  await client.connect();
  try {
    while (!(await tryLock(client))) await sleep(LOCK_POLL_MS);
    return await work();
  } finally {
    await client.query('rollback').catch(() => undefined); // of a connection that is lost, PostgreSQL rolls back by itself
    await client.end();
  }
}

async function tryLock(client: pg.Client): Promise<boolean> {
  await client.query('begin; set local idle_in_transaction_session_timeout = 0');
  const { rows } = await client.query('select pg_try_advisory_xact_lock($1) as locked', [MIGRATION_LOCK]);
  if (!rows[0].locked) await client.query('rollback');
  return rows[0].locked;
}
