import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { DeletedRows } from '../../catalog/model/table-mode.js';
import { describeColumns } from '../describe-columns.js';
import { sqlText } from '../duckdb.js';
import { writeParquet } from '../staging/write-parquet.js';
import {
  addedRows,
  CREATE_WINNERS,
  createFound,
  createNewest,
  deletions,
  remainingRows,
  rowsOf,
  SELECT_CHANGED_FILES,
  SELECT_COUNTS,
} from './merge-statements.js';

/** Paths of local Parquet files. */
export interface MergeInput {
  /** New rows, in any order. Several of them may have the same key. */
  readonly parts: readonly string[];
  /** Rows of the table. Each key occurs at most once. */
  readonly data: readonly string[];
  /** Deletions that the table keeps. */
  readonly deletes: readonly string[];
  readonly deletedRows: DeletedRows;
  /** Folder for the results. */
  readonly folder: string;
}

export interface MergedFile {
  readonly kind: 'data' | 'deletes';
  readonly path: string;
  readonly rows: number;
}

export interface MergeResult {
  readonly added: readonly MergedFile[];
  /** Files of `data` that the results replace. */
  readonly replaced: readonly string[];
  /** Whether the new parts become part of the table as they are; otherwise `added` has their rows. */
  readonly keepsParts: boolean;
}

/**
 * Merges new rows into a table that holds each record once. Rewrites only files with a row that a newer one replaces.
 * The newest version of a record wins, also against a deletion, in any order of arrival.
 */
export async function mergeParts(connection: DuckDBConnection, input: MergeInput): Promise<MergeResult> {
  try {
    return await merge(connection, input);
  } finally {
    for (const table of ['newest', 'found', 'winners']) await connection.run(`drop table if exists ${table}`);
  }
}

async function merge(
  connection: DuckDBConnection,
  { parts, data, deletes, deletedRows, folder }: MergeInput,
): Promise<MergeResult> {
  const marks = deletedRows === 'mark';
  const newRows = await sourceOf(connection, parts);
  await connection.run(createNewest(newRows));
  const known = [...data, ...deletes];
  const rows = known.length > 0 ? await sourceOf(connection, known) : `(from ${newRows} limit 0)`;
  await connection.run(createFound(rows, deletes));
  await connection.run(CREATE_WINNERS);
  const replaced = (await rowsIn(connection, SELECT_CHANGED_FILES)).map(([path]) => String(path));
  const added: MergedFile[] = [];
  const write = async (kind: MergedFile['kind'], query: string): Promise<void> => {
    const path = join(folder, `${added.length}-${kind}.parquet`);
    const { length: columns } = await describeColumns(connection, query);
    added.push({ kind, path, rows: await writeParquet(connection, query, columns, path) });
  };
  for (const path of replaced) await write('data', remainingRows(await sourceOf(connection, [path]), marks));
  const [[winners, dropped] = []] = await rowsIn(connection, SELECT_COUNTS);
  const [[keyed] = []] = await rowsIn(connection, `select count(_record_key)::int from ${newRows}`);
  const keepsParts = winners === keyed && dropped === 0;
  if (!keepsParts) await write('data', addedRows(newRows, marks));
  if (dropped !== 0 && !marks) await write('deletes', deletions(newRows));
  return { added, replaced, keepsParts };
}

async function sourceOf(connection: DuckDBConnection, paths: readonly string[]): Promise<string> {
  const list = `[${paths.map(sqlText).join(', ')}]`;
  const names = await rowsIn(connection, `select distinct name from parquet_schema(${list})`);
  return rowsOf(paths, new Set(names.map(([name]) => String(name))));
}

async function rowsIn(connection: DuckDBConnection, sql: string): Promise<unknown[][]> {
  return (await connection.runAndReadAll(sql)).getRows();
}
