import type { MikroORM } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../src/database/migrate.js';
import { createOrm } from '../../src/database/orm.js';
import { aDatabase, type TestDatabase } from '../support/database/database.js';

let database: TestDatabase;
let orm: MikroORM;

beforeAll(async () => {
  database = await aDatabase({ empty: true });
  orm = createOrm(database.url);
});

afterAll(async () => {
  await orm.close();
  await database.drop();
});

describe('migrations', () => {
  it('run up, down and up again and result in the schema of the entities', async () => {
    await migrate(orm, database.url);
    await orm.migrator.down({ to: 0 });
    expect(await tables()).toEqual(['mikro_orm_migrations']);
    await migrate(orm, database.url);
    expect(await orm.schema.getUpdateSchemaSQL()).toBe('');
  });

  it('run once if two processes start concurrently', async () => {
    const secondOrm = createOrm(database.url);
    await orm.migrator.down({ to: 0 });
    const ran = await Promise.all([migrate(orm, database.url), migrate(secondOrm, database.url)]);
    await secondOrm.close();
    expect(ran.map(({ length }) => length > 0).sort()).toEqual([false, true]);
  });
});

async function tables(): Promise<string[]> {
  const rows = await orm.em.execute<{ name: string }[]>(
    `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  );
  return rows.map(({ name }) => name);
}
