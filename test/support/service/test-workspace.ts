import { EntityTables } from '../../../src/kernel/entities/entity-tables.js';
import { ReaderFactory } from '../../../src/kernel/reading/reader-factory.js';
import { seedDemo } from '../../../src/tenancy/workspaces/seed-demo.js';
import { keptOrm } from '../database/kept-orms.js';
import { restoreWorkspace, saveWorkspace } from '../database/saved-workspaces.js';

/** The workspace has one user per built-in role. */
export async function createTestWorkspace({ databaseUrl }: { databaseUrl: string }, slug: string): Promise<string> {
  if (await restoreWorkspace(databaseUrl, slug)) return slug;
  const orm = keptOrm(databaseUrl);
  const tables = new EntityTables(orm.getMetadata());
  const readers = new ReaderFactory(tables, await orm.em.getConnection().getNativeClient());
  await seedDemo({ em: orm.em, tables, readers }, slug);
  await saveWorkspace(databaseUrl, slug);
  return slug;
}
