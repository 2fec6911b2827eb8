import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { sqlText } from '../../src/tables/duckdb.js';
import type { StoredFile } from '../../src/tables/local-file-cache.js';
import { writeParquet } from '../../src/tables/staging/write-parquet.js';
import type { TableField } from '../../src/tables/table-schema.js';

/** Approximate size of a file that the service writes. */
const FILE_BYTES = 128 * 1024 ** 2;

const SAMPLE_ROWS = 200_000;

export const QUALITY_FIELDS: readonly TableField[] = [
  { name: 'id', type: 'Integer' },
  { name: 'name', type: 'String' },
  { name: 'email', type: 'String' },
  { name: 'city', type: 'String' },
  { name: 'amount', type: 'Decimal', scale: 2 },
  { name: 'ratio', type: 'Double' },
  { name: 'active', type: 'Boolean' },
  { name: 'born', type: 'Date' },
  { name: 'updated_at', type: 'DateTimeOffset' },
  { name: 'order_key', type: 'UUID' },
];

/** SQL of the values. The values depend only on the row number, so all benchmark runs read the same values. */
const VALUES = `
  n as id,
  'Person ' || (hash(n, 1) % 200003) as name,
  case when hash(n, 2) % 50 = 0 then null else 'person' || (hash(n, 3) % 3000017) || '@example.com' end as email,
  ['Bergen', 'Graz', 'Lyon', 'Porto', 'Turku', 'Zug'][1 + (hash(n, 4) % 6)::INTEGER] as city,
  cast((hash(n, 5) % 10000000) / 100 as DECIMAL(38, 2)) as amount,
  (hash(n, 6) % 1000003) / 1000003 as ratio,
  hash(n, 7) % 3 = 0 as active,
  DATE '1950-01-01' + (hash(n, 8) % 18000)::INTEGER as born,
  TIMESTAMPTZ '2024-01-01 00:00:00Z' + to_seconds(n * 5) as updated_at,
  substr(md5(n::VARCHAR), 1, 8) || '-' || substr(md5(n::VARCHAR), 9, 4) || '-4000-8000-' || substr(md5(n::VARCHAR), 17, 12) as order_key`;

const SYSTEM = `
  '00000000-0000-4000-8000-000000000001' as _batch, n as _row, TIMESTAMPTZ '2026-01-01 00:00:00Z' as _received_at`;

/** Writes files in the same way as the service. `key` is the name of the file. */
export async function writeQualityTable(
  connection: DuckDBConnection,
  folder: string,
  rows: number,
): Promise<StoredFile[]> {
  await mkdir(folder, { recursive: true });
  const write = async (name: string, from: number, to: number): Promise<number> => {
    const path = join(folder, name);
    const query = `select ${VALUES}, ${SYSTEM} from range(${from}, ${to}) numbers(n)`;
    await writeParquet(connection, query, QUALITY_FIELDS.length + 3, path);
    return (await stat(path)).size;
  };
  const sample = await write('sample', 0, SAMPLE_ROWS);
  await rm(join(folder, 'sample'));
  const perFile = Math.floor((FILE_BYTES / sample) * SAMPLE_ROWS);
  const files: StoredFile[] = [];
  for (let from = 0; from < rows; from += perFile) {
    const key = `${files.length}.parquet`;
    files.push({ key, bytes: await write(key, from, Math.min(rows, from + perFile)) });
  }
  return files;
}

export function readParquetSql(paths: readonly string[]): string {
  return `read_parquet([${paths.map(sqlText).join(', ')}], union_by_name = true)`;
}
