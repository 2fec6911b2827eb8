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

  it('convert control charts of earlier versions to the format of the API', async () => {
    await migrate(orm, database.url);
    await orm.migrator.down({ migrations: ['20261123085900_series_as_shown'] });
    const first = { seriesId: 'a', latestValue: 2 };
    const later = { mean: 1, seriesId: 'b', latestValue: 9 };
    const stored = [[first, { ...later, beyond: 'above' }], [later]];
    await orm.em.transactional(async (em) => {
      // Disables the foreign keys, because the rows have no workspace and no contract.
      await em.execute('set local session_replication_role = replica');
      for (const series of stored) await em.execute(INSERT_CHARTS, [JSON.stringify(series)]);
    });
    await migrate(orm, database.url);
    const rows = await orm.em.execute('select series from table_spc_result order by json_array_length(series) desc');
    const limits = { lowerControl3Sigma: 2, lowerWarning2Sigma: 2, upperWarning2Sigma: 2, upperControl3Sigma: 2 };
    expect(rows).toEqual([{ series: [{ ...first, mean: 2, stddev: 0, ...limits }, later] }, { series: [later] }]);
    const forced = `select relforcerowsecurity as forced from pg_class where relname = 'table_spc_result'`;
    expect(await orm.em.execute(forced)).toEqual([{ forced: true }]);
  });
});

const INSERT_CHARTS = `
insert into table_spc_result (id, tenant_id, contract_id, run_id, captured_at, overall_status, window_size, series)
values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'a run', now(), 'WARNING', 30, ?)`;

async function tables(): Promise<string[]> {
  const rows = await orm.em.execute<{ name: string }[]>(
    `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  );
  return rows.map(({ name }) => name);
}
