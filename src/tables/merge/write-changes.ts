import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { sqlText } from '../duckdb.js';
import { splitBySize } from '../files/split-by-size.js';
import { writeParquet } from '../staging/write-parquet.js';
import { CHANGE_COLUMNS } from '../table-schema.js';
import type { MergedFile } from './merge-parts.js';

export interface ChangedPart {
  /** Path of a local Parquet file with the columns `RECORD_COLUMNS`. */
  readonly path: string;
  readonly bytes: number;
}

const [OPERATION, VERSION] = CHANGE_COLUMNS;
const EXPRESSIONS = {
  [OPERATION]: `case when _record_deleted then 'delete' else 'upsert' end`,
  [VERSION]: '_record_version',
};

/**
 * Writes new rows as changes, with `CHANGE_COLUMNS`. Readers of the table merge these changes. If the records already
 * have a column of `CHANGE_COLUMNS`, keeps that column.
 */
export async function writeChanges(
  connection: DuckDBConnection,
  parts: readonly ChangedPart[],
  folder: string,
): Promise<MergedFile[]> {
  const written: MergedFile[] = [];
  for (const group of splitBySize(parts)) {
    const paths = `[${group.map(({ path }) => sqlText(path)).join(', ')}]`;
    const schema = await connection.runAndReadAll(
      `select distinct lower(name) from parquet_schema(${paths}) where type is not null`,
    );
    const names = new Set(schema.getRows().map(([name]) => String(name)));
    const added = CHANGE_COLUMNS.filter((name) => !names.has(name)).map((name) => `${EXPRESSIONS[name]} as ${name}`);
    const query = `select ${['*', ...added].join(', ')} from read_parquet(${paths}, union_by_name = true)`;
    const path = join(folder, `${written.length}-changes.parquet`);
    const rows = await writeParquet(connection, query, names.size + added.length, path);
    written.push({ kind: 'data', path, rows });
  }
  return written;
}
