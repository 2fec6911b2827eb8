import type { MikroORM } from '@mikro-orm/postgresql';
import { createOrm } from '../../../src/database/orm.js';

const kept = new Map<string, MikroORM>();

/** Each URL has one ORM until the test drops the database, because reading the entities takes 45 ms of CPU time. */
export function keptOrm(url: string): MikroORM {
  const orm = kept.get(url) ?? createOrm(url);
  kept.set(url, orm);
  return orm;
}

export async function closeKeptOrms(database: string): Promise<void> {
  for (const [url, orm] of kept) {
    if (new URL(url).pathname !== `/${database}`) continue;
    kept.delete(url);
    await orm.close(true);
  }
}
