import { Readers } from '../../src/kernel/readers.js';
import { Tables } from '../../src/kernel/tables.js';
import { createOrm } from '../../src/orm.js';
import { seedDemo } from '../../src/tenancy/seed-demo.js';

/** A further workspace with a user of each built-in role. */
export async function aWorkspace({ databaseUrl }: { databaseUrl: string }, slug: string): Promise<string> {
  const orm = createOrm(databaseUrl);
  const tables = new Tables(orm.getMetadata());
  const readers = new Readers(tables, await orm.em.getConnection().getNativeClient());
  await seedDemo({ em: orm.em, tables, readers }, slug);
  await orm.close();
  return slug;
}
