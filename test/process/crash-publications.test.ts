import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seededRandom } from '../../bench/support/seeded-random.js';
import { decodeId } from '../../src/kernel/ids.js';
import { filesFolderOf } from '../support/artifacts/stored-files.js';
import { seed } from '../support/catalog/definition-builders.js';
import { queryAsOwner } from '../support/database/owner-queries.js';
import { waitUntil } from '../support/database/test-jobs.js';
import { aKillableService } from '../support/processes/killable-service.js';
import { atScale } from '../support/soak.js';
import { getTap, publishFile, waitForPublication } from '../support/tables/publish-file.js';

const KILLS = atScale(1, 40);
const ROWS = 200_000;
const MAX_PROCESS_LIFETIME_MS = atScale(200, 2_000);

const random = seededRandom(seed);
const { service, owner, start, kill, close } = await aKillableService();

beforeAll(() => start(), 60_000);
afterAll(close);

/** Other processes would otherwise wait a minute for the lease and the jobs of a killed process. */
async function releaseLostWork(): Promise<void> {
  await queryAsOwner(service, 'update catalog_table set writer_until = now()');
  await queryAsOwner(
    service,
    `update taproot_jobs.job set state = 'retry', start_after = now() where name = 'publish-artifact' and state = 'active'`,
  );
}

/** Counts the rows in all live files of a table, and the distinct positions of these rows in the uploaded file. */
async function countRows(tapId: string): Promise<{ rows: number; places: number }> {
  const files = await queryAsOwner(
    service,
    `select t.tenant_id, t.id as table_id, f.id from table_file f join catalog_table t on t.id = f.table_id
     where t.tap_id = $1 and f.state = 'live' and f.kind = 'data'`,
    [decodeId(tapId)],
  );
  const paths = files.map(
    ({ tenant_id, table_id, id }) =>
      `'${join(filesFolderOf(service), 'tables', tenant_id, table_id, 'data', id)}.parquet'`,
  );
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const sql = `select count(*)::int as rows, count(distinct _row)::int as places from read_parquet([${paths.join(', ')}])`;
  const [counts] = (await connection.runAndReadAll(sql)).getRowObjectsJS();
  connection.closeSync();
  instance.closeSync();
  return counts as { rows: number; places: number };
}

it('a publication whose process is killed is finished by the next process, with each row once', async () => {
  const content = `id,name,amount\n${Array.from({ length: ROWS }, (_, at) => `${at + 1},Ada ${at % 97},${at / 8}\n`).join('')}`;
  for (let killed = 0; killed < KILLS; ) {
    const { id } = await publishFile(owner, content);
    await waitUntil(async () => (await statusOf(id)) !== 'queued');
    await sleep(random() * MAX_PROCESS_LIFETIME_MS);
    if ((await statusOf(id)) === 'running') {
      await kill();
      killed += 1;
      await start();
      await releaseLostWork();
    }
    const { publication } = await waitForPublication(owner, id);
    expect([seed, publication]).toMatchObject([seed, { status: 'succeeded', rows: ROWS, rejectedRows: 0 }]);
    expect(await countRows(id)).toEqual({ rows: ROWS, places: ROWS });
    const [table] = await queryAsOwner(service, 'select rows::int from catalog_table where tap_id = $1', [
      decodeId(id),
    ]);
    expect(table).toEqual({ rows: ROWS });
  }
}, 600_000);

async function statusOf(tapId: string): Promise<string> {
  return (await getTap(owner, tapId)).publication.status;
}
