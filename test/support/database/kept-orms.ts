import type { MikroORM } from '@mikro-orm/postgresql';
import { createOrm } from '../../../src/database/orm.js';

const kept = new Map<string, MikroORM>();

/**
 * Returns the ORM of this process for a URL. Creates it once, because reading the entities takes 45 ms of CPU time. The
 * ORM remains until the test drops its database.
 */
export function keptOrm(url: string): MikroORM {
  const orm = kept.get(url) ?? createOrm(url);
  kept.set(url, orm);
  return orm;
}

/** Closes the ORMs of all logins to a database. */
export async function closeKeptOrms(database: string): Promise<void> {
  for (const [url, orm] of kept) {
    if (new URL(url).pathname !== `/${database}`) continue;
    kept.delete(url);
    await orm.close(true);
  }
}
