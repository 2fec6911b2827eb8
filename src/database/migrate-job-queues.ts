import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { JOBS_SCHEMA, type JobQueue, ONE_PER_KEY, toQueueOptions } from '../kernel/jobs/job-queue.js';

/** Maximum wait for new indexes of pg-boss. The next start builds the remaining indexes. */
const INDEX_BUILD_TIMEOUT_MS = 60_000;

/** Connects as the owner of the schema. Only one process may call this function at a time. */
export async function migrateJobQueues(ownerUrl: string, queues: readonly JobQueue[]): Promise<void> {
  // If the owner role lacks the right to create schemas, an operator must create the job schema beforehand.
  const createSchema = !(await hasSchema(ownerUrl));
  const boss = new PgBoss({
    connectionString: ownerUrl,
    ...{ schema: JOBS_SCHEMA, createSchema, max: 2 },
    ...{ migrate: true, supervise: false, schedule: false, registerInstance: false },
  });
  boss.on('error', () => undefined); // Ignores the loss of the connection, because the next statement throws.
  try {
    await boss.start();
    for (const queue of queues) {
      await boss.createQueue(queue.name, { ...toQueueOptions(queue), policy: ONE_PER_KEY });
      await boss.updateQueue(queue.name, toQueueOptions(queue));
    }
    const until = Date.now() + INDEX_BUILD_TIMEOUT_MS;
    while ((await isBuildingIndexes(boss)) && Date.now() < until) await sleep(100);
  } finally {
    await boss.stop({ graceful: false });
  }
}

async function hasSchema(ownerUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: ownerUrl });
  // Ignores the loss of the connection, because the next statement throws.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return Boolean((await client.query('select from pg_namespace where nspname = $1', [JOBS_SCHEMA])).rowCount);
  } finally {
    await client.end();
  }
}

async function isBuildingIndexes(boss: PgBoss): Promise<boolean> {
  return (await boss.getBamStatus()).some(({ status }) => status === 'pending' || status === 'in_progress');
}
