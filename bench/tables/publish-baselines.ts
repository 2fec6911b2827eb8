import { chmod } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import pg from 'pg';

const COLUMNS =
  'id bigint, name text, email text, city text, amount numeric, ratio numeric, active boolean, born date, updated_at timestamptz, note text';

/** The table has no indexes. */
export async function measureCopySeconds(databaseUrl: string, path: string): Promise<number> {
  await chmod(dirname(path), 0o755); // The server may run as another user.
  await chmod(path, 0o644);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`create table baseline (${COLUMNS})`);
    const seconds = await secondsOf(() => client.query(`copy baseline from '${path}' csv header`));
    await client.query('drop table baseline');
    return seconds;
  } finally {
    await client.end();
  }
}

/**
 * Measures the conversion of a CSV file to Parquet. DuckDB detects the types, and uses as many threads as the service.
 */
export async function measureDuckDbSeconds(path: string): Promise<number> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '512MB' });
  const connection = await instance.connect();
  const target = join(dirname(path), 'baseline.parquet');
  try {
    return await secondsOf(() =>
      connection.run(`copy (from read_csv('${path}')) to '${target}' (format parquet, compression zstd)`),
    );
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}
