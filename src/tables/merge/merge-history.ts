import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { describeColumns } from '../describe-columns.js';
import { sqlText } from '../duckdb.js';
import { writeParquet } from '../staging/write-parquet.js';
import {
  ADDED_DELETIONS,
  ADDED_UNCHANGED,
  addedRows,
  CREATE_OBSERVATIONS,
  CREATE_REMOVED,
  CREATE_VERSIONS,
  createMarkers,
  createOwn,
  DROP_TABLES,
  OWN_COLUMNS,
  REVIVE_ABSENT,
  remainingRows,
  SELECT_SOURCES,
  withTimes,
} from './history-statements.js';
import { groupFiles, type MergedFile, type MergeInput, type MergeResult } from './merge-parts.js';
import { rowsOf } from './merge-statements.js';

/** Paths of local Parquet files. */
interface HistoryInput extends Omit<MergeInput, 'deletedRows'> {
  /** Files of the kind `unchanged` (see `ADDED_UNCHANGED`). */
  readonly unchanged: readonly string[];
}

/**
 * Merges new rows into a table that contains each version of each record. Each row has the times between which its
 * version is current. Sorts rows by version, because they may arrive in any order. A version with the same content as
 * the version before it adds no row. Rewrites only files with a row whose times change.
 */
export async function mergeHistory(connection: DuckDBConnection, input: HistoryInput): Promise<MergeResult> {
  try {
    return await merge(connection, input);
  } finally {
    await connection.run(DROP_TABLES);
  }
}

async function merge(
  connection: DuckDBConnection,
  { parts, data, deletes, unchanged, folder, maxFileBytes }: HistoryInput,
): Promise<MergeResult> {
  const rows = await sourceOf(connection, [...parts, ...data]);
  const names = (await describeColumns(connection, `select * from ${rows}`)).map(({ name }) => name);
  const content = names.filter((name) => !OWN_COLUMNS.includes(name));
  await connection.run(createOwn(rows, parts, content));
  const marked = [...deletes, ...unchanged];
  const markers = marked.length > 0 ? await sourceOf(connection, marked) : `(from ${rows} limit 0)`;
  await connection.run(createMarkers(markers, unchanged));
  for (const sql of [REVIVE_ABSENT, CREATE_OBSERVATIONS, CREATE_VERSIONS, CREATE_REMOVED]) await connection.run(sql);
  const added: MergedFile[] = [];
  const write = async (kind: MergedFile['kind'], query: string): Promise<void> => {
    const path = join(folder, `${added.length}-${kind}.parquet`);
    added.push({ kind, path, rows: await writeParquet(connection, query, names.length, path) });
  };
  const removed = (await connection.runAndReadAll('select distinct path from removed')).getRows();
  const replaced = removed.map(([path]) => String(path));
  const kindOf = (path: string): MergedFile['kind'] =>
    deletes.includes(path) ? 'deletes' : unchanged.includes(path) ? 'unchanged' : 'data';
  for (const path of replaced) await write(kindOf(path), remainingRows(await sourceOf(connection, [path])));
  const sources = (await connection.runAndReadAll(SELECT_SOURCES)).getRows().map(([path]) => String(path));
  for (const group of await groupFiles([...new Set([...parts, ...sources])], maxFileBytes))
    await write('data', addedRows(await sourceOf(connection, group), parts));
  await write('deletes', ADDED_DELETIONS);
  await write('unchanged', ADDED_UNCHANGED);
  return { added, replaced, keepsParts: false };
}

async function sourceOf(connection: DuckDBConnection, paths: readonly string[]): Promise<string> {
  const names = await namesIn(connection, paths);
  return withTimes(rowsOf(paths, names), names);
}

async function namesIn(connection: DuckDBConnection, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const list = `[${paths.map(sqlText).join(', ')}]`;
  const found = await connection.runAndReadAll(`select distinct name from parquet_schema(${list})`);
  return new Set(found.getRows().map(([name]) => String(name)));
}
