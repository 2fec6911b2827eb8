import { Tables } from '../../src/kernel/tables.js';
import { createOrm } from '../../src/orm.js';
import { seedDemo } from '../../src/tenancy/seed-demo.js';

/** A further workspace with a user of each built-in role. */
export async function aWorkspace({ databaseUrl }: { databaseUrl: string }, slug: string): Promise<string> {
  const orm = createOrm(databaseUrl);
  await seedDemo(orm.em, new Tables(orm.getMetadata()), slug);
  await orm.close();
  return slug;
}
