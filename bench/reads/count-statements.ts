import pg from 'pg';

type Query = typeof pg.Client.prototype.query;

/** Counts the statements that all PostgreSQL clients of this process send while `work` runs. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const original = pg.Client.prototype.query;
  let count = 0;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    count += 1;
    return (original as (...args: unknown[]) => unknown).apply(this, args);
  } as Query;
  try {
    await work();
    return count;
  } finally {
    pg.Client.prototype.query = original;
  }
}
