import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { domains } from '../domains.js';
import { MIGRATION_LOCK } from '../kernel/concurrency/advisory-locks.js';
import type { DomainManifest } from '../kernel/entities/domain-manifest.js';
import type { JobQueue } from '../kernel/jobs/job-queue.js';
import { migrateJobQueues } from './migrate-job-queues.js';

const LOCK_POLL_MS = 100;

/** Processes that start concurrently migrate one after another. Returns the names of the migrations that ran. */
export function migrate(orm: MikroORM, databaseUrl: string, andThen?: () => Promise<void>): Promise<string[]> {
  return withMigrationLock(databaseUrl, async () => {
    const ran = await orm.migrator.up();
    await migrateJobQueues(
      databaseUrl,
      domains.flatMap<JobQueue>(({ jobs = [] }: DomainManifest) => jobs),
    );
    await andThen?.();
    return ran.map(({ name }) => name);
  });
}

/**
 * The lock belongs to a transaction, because a transaction pooler shares sessions between clients. A waiting process
 * polls instead of occupying a connection of the pooler, which the lock holder may need.
 */
async function withMigrationLock<Result>(databaseUrl: string, work: () => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  // Ignores the loss of the connection, because the next statement throws.
  client.on('error', () => undefined);
  await client.connect();
  try {
    while (!(await tryLock(client))) await sleep(LOCK_POLL_MS);
    return await work();
  } finally {
    // If the connection is lost, PostgreSQL rolls back.
    await client.query('rollback').catch(() => undefined);
    await client.end();
  }
}

async function tryLock(client: pg.Client): Promise<boolean> {
  await client.query('begin; set local idle_in_transaction_session_timeout = 0');
  const { rows } = await client.query('select pg_try_advisory_xact_lock($1) as locked', [MIGRATION_LOCK]);
  if (!rows[0].locked) await client.query('rollback');
  return rows[0].locked;
}
