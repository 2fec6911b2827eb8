import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type Db, fromKysely, type PgBoss } from 'pg-boss';
import { toDatabaseError } from '../errors.js';
import type { JobData } from './job-queue.js';

export interface EnqueueOptions {
  /** When it may start at the earliest: a time, or seconds from now. At once by default. */
  readonly startAfter?: Date | number;
  /** Where a job with this key is waiting already, it becomes that one, and starts at the earlier time of both. */
  readonly key?: string;
}

const UNFINISHED_STATES: ReadonlySet<string> = new Set(['created', 'retry', 'active']);

/** Puts a job into a queue on the connection of the transaction of `em`. */
export async function enqueueJob(
  boss: PgBoss,
  em: EntityManager,
  name: string,
  data: JobData,
  { startAfter, key }: EnqueueOptions,
): Promise<void> {
  const db = connectionOf(em, name);
  const group = data.tenantId === undefined ? undefined : { id: String(data.tenantId) };
  const options = {
    ...{ db, singletonKey: key ?? randomUUID() },
    ...(startAfter !== undefined && { startAfter }),
    ...(group && { group }),
  };
  for (;;) {
    if (key && (await joinWaiting(boss, db, name, key, startAfter))) return;
    // Nothing where another transaction was first to enqueue the key: by now it is committed, and its job is there to be joined.
    if (await boss.send(name, data, options)) return;
  }
}

/** Whether a job waits, is to be tried again or runs under a key, as the transaction of `em` sees it. */
export async function isJobUnfinished(boss: PgBoss, em: EntityManager, name: string, key: string): Promise<boolean> {
  const jobs = await boss.findJobs(name, { key, db: connectionOf(em, name) });
  return jobs.some(({ state }) => UNFINISHED_STATES.has(state));
}

function connectionOf(em: EntityManager, name: string): Db {
  const transaction = em.getTransactionContext();
  if (!transaction) throw new Error(`a job of ${name} is not part of a transaction`);
  return explaining(fromKysely(transaction as never));
}

/** Keeps the job that waits under the key from starting before this transaction ends, and has it start earlier where that is asked for. */
async function joinWaiting(
  boss: PgBoss,
  db: Db,
  name: string,
  key: string,
  startAfter: Date | number = 0,
): Promise<boolean> {
  const { jobs } = await boss.update(name, undefined, { db, singletonKey: key }); // changes nothing, and locks the row
  const [id] = jobs;
  if (!id) return false;
  const [job] = await boss.findJobs(name, { id, db });
  const asked = typeof startAfter === 'number' ? Date.now() + startAfter * 1_000 : startAfter.getTime();
  const isLater = job && new Date(job.startAfter).getTime() > asked; // MikroORM has its connections leave times as they are
  if (isLater) await boss.update(name, undefined, { db, id, startAfter });
  return true;
}

/** A connection that is lost in the middle of a transaction is told as such. */
function explaining({ executeSql }: Db): Db {
  const explain = (error: unknown): never => {
    throw toDatabaseError(error);
  };
  return { executeSql: (text, values) => executeSql(text, values).catch(explain) };
}
