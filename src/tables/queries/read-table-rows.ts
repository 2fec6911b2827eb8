import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { AppError } from '../../kernel/errors.js';
import { FileNotFoundError } from '../../kernel/files/file-store.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import type { CatalogTable } from '../catalog-table.js';
import { describeColumns } from '../describe-columns.js';
import { sqlName, sqlText } from '../duckdb.js';
import type { TableServices } from '../table-context.js';
import type { TableFile, TableFileKind } from '../table-file.js';
import { toStoredFile } from '../table-file-key.js';
import type { TableField } from '../table-schema.js';
import {
  CHANGE_COLUMNS,
  EXTRA_COLUMN,
  HELD_FIELDS,
  HISTORY_COLUMNS,
  RECORD_COLUMNS,
  REJECT_FIELDS,
  SYSTEM_COLUMNS,
} from '../table-schema.js';
import { columnJsonSql } from './column-json-sql.js';
import { fieldsInVersion, findVersion, type VersionQuery } from './find-version.js';
import { findFilesOfRows } from './live-files.js';
import { parseExactJson } from './parse-exact-json.js';

/** Values by column name. The object has no prototype, because columns can have any name. */
export type TableRow = Record<string, unknown>;

interface RowQuery extends VersionQuery {
  readonly kind: TableFileKind;
  /** 1 to 100. */
  readonly limit: number;
  readonly offset: number;
}

const MAX_RESPONSE_CHARACTERS = 4 * 1024 * 1024;

/**
 * Reads rows of a table: the newest file first, and the rows of a file in their order. Integers beyond ±(2^53 - 1),
 * decimals, and numbers inside JSON that a double cannot represent exactly become strings, so that no digit is lost.
 * Returns fewer than `limit` rows if their JSON would exceed `MAX_RESPONSE_CHARACTERS`. Throws the errors of
 * `findVersion`. Throws UNAVAILABLE if the service replaces the files during the read.
 */
export async function readTableRows(
  services: TableServices,
  read: Reader,
  table: Lean<CatalogTable>,
  { kind, limit, offset, ...wanted }: RowQuery,
): Promise<TableRow[]> {
  for (let attempt = 1; attempt <= 2; attempt++) {
    const version = await findVersion(read, table, wanted);
    const { files, skipped } = await findFilesOfRows(read, table.id, { kind, limit, offset, version });
    if (files.length === 0) return [];
    const rows = await readFiles(services, files, { limit, skipped }).catch((error: unknown) => {
      if (!(error instanceof FileNotFoundError)) throw error;
    });
    if (!rows) continue;
    if (kind !== 'data') return rowsOf(rows, COLUMNS_OF_KIND[kind]);
    return rowsOf(rows, columnsOf(await fieldsInVersion(read, table, version), rows));
  }
  throw new AppError('UNAVAILABLE', 'The service is replacing the files of the table. Try again shortly.');
}

const MARKER_COLUMNS: Columns = new Map([...SYSTEM_COLUMNS, ...RECORD_COLUMNS].map((name) => [name, false]));

const COLUMNS_OF_KIND: Readonly<Record<Exclude<TableFileKind, 'data'>, Columns>> = {
  rejects: new Map([...SYSTEM_COLUMNS, ...REJECT_FIELDS.map(({ name }) => name)].map((name) => [name, false])),
  held: new Map([...SYSTEM_COLUMNS, ...HELD_FIELDS.map(({ name }) => name)].map((name) => [name, false])),
  deletes: MARKER_COLUMNS,
  unchanged: MARKER_COLUMNS,
  keys: MARKER_COLUMNS,
};

/** For each column name, whether the column contains JSON. */
type Columns = ReadonlyMap<string, boolean>;

function columnsOf(fields: readonly TableField[], { names }: RawRows): Columns {
  const ofRecord = [...RECORD_COLUMNS, ...HISTORY_COLUMNS, ...CHANGE_COLUMNS].filter((name) => names.includes(name));
  return new Map([
    ...[...SYSTEM_COLUMNS, ...ofRecord].map((name) => [name, false] as const),
    ...fields.map(({ name, type }) => [name, type === 'JSON' || name === EXTRA_COLUMN] as const),
  ]);
}

interface RawRows {
  readonly names: readonly string[];
  readonly rows: readonly (readonly DuckDBValue[])[];
}

interface RowsOfFiles {
  readonly limit: number;
  readonly skipped: number;
}

function readFiles(
  { localFiles, duckdb }: TableServices,
  files: readonly Lean<TableFile>[],
  range: RowsOfFiles,
): Promise<RawRows> {
  const stored = files.map((file) => toStoredFile({ tenantId: file.tenantId, tableId: file.table }, file));
  return localFiles.use(stored, (paths) => duckdb.connect((connection) => select(connection, paths, range)));
}

async function select(
  connection: DuckDBConnection,
  paths: readonly string[],
  { limit, skipped }: RowsOfFiles,
): Promise<RawRows> {
  const source = `read_parquet([${paths.map(sqlText).join(', ')}], union_by_name = true)`;
  const columns = await describeColumns(connection, `select * from ${source}`);
  const expressions = columns.map(({ name, type }) => columnJsonSql(sqlName(name), type)).join(', ');
  const range = `limit ${Math.trunc(limit)} offset ${Math.trunc(skipped)}`;
  const result = await connection.runAndReadAll(`select ${expressions} from ${source} ${range}`);
  return { names: columns.map(({ name }) => name), rows: result.getRows() };
}

function rowsOf({ names, rows }: RawRows, columns: Columns): TableRow[] {
  const places = [...columns].map(([name, isJson]) => ({ name, isJson, at: names.indexOf(name) }));
  const result: TableRow[] = [];
  let size = 0;
  for (const values of rows) {
    const row: TableRow = Object.create(null);
    for (const { name, isJson, at } of places) row[name] = jsonOf(values[at] ?? null, isJson);
    size += JSON.stringify(row).length;
    if (size > MAX_RESPONSE_CHARACTERS) break;
    result.push(row);
  }
  return result;
}

function jsonOf(value: DuckDBValue, isJson: boolean): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  return isJson && typeof value === 'string' ? parseExactJson(value) : value;
}
