import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DuckDb } from '../../../src/tables/duckdb.js';
import { writeParquet } from '../../../src/tables/staging/write-parquet.js';

/**
 * The test data exceeds this limit, so the first statement spills to disk and the second statement reads the data back.
 */
const MEMORY = '24MB';
const keep = (salt: string): string =>
  `create table t as select range as k, md5(range::varchar || '${salt}') as v from range(600000)`;
const check = (salt: string): string =>
  `select count(*)::int as rows, (count(*) filter (where v = md5(k::varchar || '${salt}')))::int as sound from t`;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taproot-duckdb-'));
});

afterAll(() => rm(folder, { recursive: true }));

describe('spilled data', () => {
  it('stays intact if instances share the folder, and is removed when they close', async () => {
    const both = ['a', 'b'].map((salt) => ({ salt, duckdb: new DuckDb({ folder, memory: MEMORY, threads: 1 }) }));
    for (const { salt, duckdb } of both) await duckdb.rows(keep(salt));
    const spilled = (await readdir(folder)).map((name) => join(folder, name));
    expect(spilled).toHaveLength(2);
    for (const own of spilled) {
      expect((await stat(own)).mode & 0o777).toBe(0o700);
      expect(await readdir(own)).not.toEqual([]);
    }
    for (const { salt, duckdb } of both)
      expect(await duckdb.rows(check(salt))).toEqual([{ rows: 600_000, sound: 600_000 }]);
    await Promise.all(both.map(({ duckdb }) => duckdb.close()));
    expect(await readdir(folder)).toEqual([]);
  });

  it('is limited', async () => {
    const duckdb = new DuckDb({ folder });
    const sql = `select current_setting('max_temp_directory_size') as most`;
    expect(await duckdb.rows(sql).finally(() => duckdb.close())).toEqual([{ most: '7.4 GiB' }]);
  });
});

it('statements cannot install extensions or change that setting', async () => {
  const duckdb = new DuckDb({ folder });
  const names = ['autoinstall_known_extensions', 'autoload_known_extensions'];
  const sql = `select ${names.map((name) => `current_setting('${name}') as ${name}`).join(', ')}`;
  const settings = await duckdb.rows(sql);
  const change = duckdb.rows('set autoload_known_extensions = true');
  await expect(change).rejects.toThrow('configuration has been locked');
  await duckdb.close();
  expect(settings).toEqual([{ autoinstall_known_extensions: false, autoload_known_extensions: false }]);
});

it('returns the memory of a statement to the operating system, if configured', async () => {
  const duckdb = new DuckDb({ folder, threads: 1, releasesMemory: true });
  const sql = `select current_setting('allocator_bulk_deallocation_flush_threshold') as most`;
  expect(await duckdb.rows(sql).finally(() => duckdb.close())).toEqual([{ most: '976.5 KiB' }]);
});

it('at most two statements of a process write files at a time', async () => {
  const duckdb = new DuckDb({ folder, threads: 1 });
  const running = new Set<number>();
  const most: number[] = [];
  const write = (nth: number): Promise<number> =>
    duckdb.connect((connection) => {
      const run = connection.runAndReadAll.bind(connection);
      connection.runAndReadAll = async (sql) => {
        most.push(running.add(nth).size);
        return run(sql).finally(() => running.delete(nth));
      };
      return writeParquet(connection, 'select range from range(100000)', 1, join(folder, `${nth}.parquet`));
    });
  const rows = await Promise.all([1, 2, 3, 4, 5].map(write));
  await duckdb.close();
  expect(rows).toEqual(Array(5).fill(100_000));
  expect(Math.max(...most)).toBe(2);
});
