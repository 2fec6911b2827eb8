import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { DeletedRows } from '../../catalog/model/table-mode.js';
import { sqlText } from '../duckdb.js';
import { MAX_FILE_BYTES, splitBySize } from '../files/split-by-size.js';
import { writeParquet } from '../staging/write-parquet.js';
import { RECORD_FIELDS } from '../table-schema.js';
import {
  addedRows,
  CREATE_WINNERS,
  createFound,
  createNewest,
  DROP_TABLES,
  deletions,
  remainingRows,
  rowsOf,
  SELECT_CHANGED_FILES,
  SELECT_COUNTS,
} from './merge-statements.js';

/** Paths of local Parquet files. */
export interface MergeInput {
  /** New rows, in any order. Several rows may have the same key. */
  readonly parts: readonly string[];
  /** Rows of the table. Each key occurs at most once. */
  readonly data: readonly string[];
  /** Deletions that the table keeps. */
  readonly deletes: readonly string[];
  readonly deletedRows: DeletedRows;
  readonly folder: string;
  /** Approximate maximum size of a file with new rows. Defaults to 128 MiB. */
  readonly maxFileBytes?: number;
}

export interface MergedFile {
  readonly kind: 'data' | 'deletes' | 'unchanged';
  readonly path: string;
  readonly rows: number;
}

export interface MergeResult {
  readonly added: readonly MergedFile[];
  /** Files of the table that the files in `added` replace. */
  readonly replaced: readonly string[];
  /**
   * Whether the new parts become part of the table unchanged. If false, files in `added` replace the new parts.
   */
  readonly keepsParts: boolean;
}

/**
 * Merges new rows into a table that contains each record once. Keeps the newest version or deletion of each record,
 * regardless of the order of arrival. Rewrites only files with a row that a newer row replaces.
 */
export async function mergeParts(connection: DuckDBConnection, input: MergeInput): Promise<MergeResult> {
  try {
    return await merge(connection, input);
  } finally {
    await connection.run(DROP_TABLES);
  }
}

async function merge(
  connection: DuckDBConnection,
  { parts, data, deletes, deletedRows, folder, maxFileBytes = MAX_FILE_BYTES }: MergeInput,
): Promise<MergeResult> {
  const marks = deletedRows === 'mark';
  const known = [...data, ...deletes];
  const columns = await columnsOf(connection, [...parts, ...known]);
  const sourceOf = (paths: readonly string[]): string => rowsOf(paths, namesIn(columns, paths));
  const newRows = sourceOf(parts);
  await connection.run(createNewest(newRows));
  await connection.run(createFound(known.length > 0 ? sourceOf(known) : `(from ${newRows} limit 0)`, deletes));
  await connection.run(CREATE_WINNERS);
  const replaced = (await rowsIn(connection, SELECT_CHANGED_FILES)).map(([path]) => String(path));
  const [[winners, deleted] = []] = await rowsIn(connection, SELECT_COUNTS);
  const [[keyed] = []] = await rowsIn(connection, `select count(_record_key)::int from ${newRows}`);
  const added: MergedFile[] = [];
  const write = async (kind: MergedFile['kind'], query: string, paths: readonly string[]): Promise<void> => {
    const path = join(folder, `${added.length}-${kind}.parquet`);
    const width = namesIn(columns, paths).size + RECORD_FIELDS.length;
    added.push({ kind, path, rows: await writeParquet(connection, query, width, path) });
  };
  for (const path of replaced) await write('data', remainingRows(sourceOf([path]), marks), [path]);
  const keepsParts = winners === keyed && deleted === 0;
  const groups = keepsParts ? [] : await groupFiles(parts, maxFileBytes);
  for (const paths of groups) await write('data', addedRows(sourceOf(paths), marks), paths);
  if (deleted !== 0 && !marks) await write('deletes', deletions(newRows), parts);
  return { added, replaced, keepsParts };
}

/** Groups files so that the rows of a group fit into one file of `maxFileBytes`. */
export async function groupFiles(paths: readonly string[], maxFileBytes?: number): Promise<string[][]> {
  const sized = await Promise.all(paths.map(async (path) => ({ path, bytes: (await stat(path)).size })));
  return splitBySize(sized, maxFileBytes).map((group) => group.map(({ path }) => path));
}

async function columnsOf(
  connection: DuckDBConnection,
  paths: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await rowsIn(
    connection,
    `select file_name, name from parquet_schema([${paths.map(sqlText).join(', ')}]) where type is not null`,
  );
  const names = rows.map(([path, name]) => ({ path: String(path), name: String(name) }));
  return new Map(
    [...Map.groupBy(names, ({ path }) => path)].map(([path, list]) => [path, list.map(({ name }) => name)]),
  );
}

function namesIn(columns: ReadonlyMap<string, readonly string[]>, paths: readonly string[]): ReadonlySet<string> {
  return new Set(paths.flatMap((path) => columns.get(path) ?? []));
}

async function rowsIn(connection: DuckDBConnection, sql: string): Promise<unknown[][]> {
  return (await connection.runAndReadAll(sql)).getRows();
}
