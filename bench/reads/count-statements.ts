import pg from 'pg';

type Query = typeof pg.Client.prototype.query;

/** How many statements reach PostgreSQL while `work` runs, whoever sends them. */
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
