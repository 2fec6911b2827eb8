import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Db, PgBoss } from 'pg-boss';
import { toDatabaseError } from '../errors.js';
import { statementName } from '../statement-name.js';
import { runInTransaction } from '../transaction-statement.js';
import { JOBS_SCHEMA, type JobData } from './job-queue.js';

export interface EnqueueOptions {
  /** Earliest start: a time, or a number of seconds from now. Defaults to the current time. */
  readonly startAfter?: Date | number;
  /**
   * Deduplicates jobs. If a job already waits under this key, `enqueueJob` creates no job, and the waiting job gets the
   * earlier of the two start times.
   */
  readonly key?: string;
  /**
   * For keys that are expected to be new: skips the search for a waiting job with this key. If a job with this key
   * waits for a retry, `enqueueJob` creates a second job.
   */
  readonly isNewKey?: boolean;
  /** Jobs of the queue with a higher priority start first. Defaults to 0. */
  readonly priority?: number;
}

const UNFINISHED_STATES: ReadonlySet<string> = new Set(['created', 'retry', 'active']);

export async function enqueueJob(
  boss: PgBoss,
  em: EntityManager,
  name: string,
  data: JobData,
  { startAfter, key, isNewKey = false, priority }: EnqueueOptions,
): Promise<void> {
  const db = connectionOf(em, name);
  const group = data.tenantId === undefined ? undefined : { id: String(data.tenantId) };
  const options = {
    ...{ db, singletonKey: key ?? randomUUID() },
    ...(startAfter !== undefined && { startAfter }),
    ...(group && { group }),
    ...(priority !== undefined && { priority }),
  };
  for (let isNew = isNewKey; ; isNew = false) {
    if (key && !isNew && (await joinWaiting(boss, db, name, key, startAfter))) return;
    // `send` returns null if a concurrent transaction enqueued the key first. That transaction has committed by now, so
    // the next iteration joins its job.
    if (await boss.send(name, data, options)) return;
  }
}

/**
 * Returns true if the transaction of `em` can see an unfinished job with this key. An unfinished job runs, or waits for
 * its first run or a retry.
 */
export async function isJobUnfinished(boss: PgBoss, em: EntityManager, name: string, key: string): Promise<boolean> {
  const jobs = await boss.findJobs(name, { key, db: connectionOf(em, name) });
  return jobs.some(({ state }) => UNFINISHED_STATES.has(state));
}

/**
 * Runs the statements of pg-boss in the transaction of `em`. Throws `DatabaseUnavailable` if the connection is lost.
 */
function connectionOf(em: EntityManager, name: string): Db {
  if (!em.getTransactionContext()) throw new Error(`a job of the queue ${name} must be enqueued in a transaction`);
  return {
    async executeSql(text, values = []) {
      try {
        return { rows: await runInTransaction(em, { name: statementName(text), text, values: [...values] }) };
      } catch (error) {
        throw toDatabaseError(error);
      }
    },
  };
}

/** Selects the newest job, because a job that waits for a retry can have the same key. */
const LOCK_WAITING = `
select id, extract(epoch from start_after) * 1000 as start from ${JOBS_SCHEMA}.job
where name = $1 and singleton_key = $2 and state < 'active' order by created_on desc limit 1 for update`;

/**
 * Locks the waiting job with this key. The lock ends with the transaction. If the job would start after `startAfter`,
 * sets its start to `startAfter`.
 */
async function joinWaiting(
  boss: PgBoss,
  db: Db,
  name: string,
  key: string,
  startAfter: Date | number = 0,
): Promise<boolean> {
  const { rows } = await db.executeSql(LOCK_WAITING, [name, key]);
  const [job] = rows as { id: string; start: string }[];
  if (!job) return false;
  const asked = typeof startAfter === 'number' ? Date.now() + startAfter * 1_000 : startAfter.getTime();
  if (Number(job.start) > asked) await boss.update(name, undefined, { db, id: job.id, startAfter });
  return true;
}
