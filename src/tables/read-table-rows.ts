import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { AppError } from '../kernel/errors.js';
import { FileMissing } from '../kernel/file-store.js';
import type { Lean, Reader } from '../kernel/reading.js';
import type { CatalogTable } from './catalog-table.js';
import { sqlName, sqlText } from './duckdb.js';
import { newestFiles } from './live-files.js';
import { readJson } from './read-json.js';
import { spellColumn } from './spell-column.js';
import type { TableParts } from './table-context.js';
import type { TableFile, TableFileKind } from './table-file.js';
import { tableFileKey } from './table-file-key.js';
import { EXTRA_COLUMN, SYSTEM_COLUMNS } from './table-schema.js';

/** Values by name of the column, without a prototype. */
export type TableRow = Record<string, unknown>;

interface Question {
  readonly kind: TableFileKind;
  /** Rows at the most, up to 100. */
  readonly limit: number;
}

/** Characters of an answer. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

/**
 * Rows of the newest files of a table, in the order of each file: a value for each column, null where there is none. Integers beyond 2^53 and all decimals
 * are texts, as are numbers within JSON that a double does not hold, so that no digit is lost; times are texts in ISO 8601. Fewer rows where they are large. Throws UNAVAILABLE where files go as they are read.
 */
export async function readTableRows(
  parts: TableParts,
  read: Reader,
  table: Lean<CatalogTable>,
  { kind, limit }: Question,
): Promise<TableRow[]> {
  for (let attempt = 1; attempt <= 2; attempt++) {
    const files = await newestFiles(read, table.id, kind, limit);
    if (files.length === 0) return [];
    const rows = await readFiles(parts, files, limit).catch((error: unknown) => {
      if (!(error instanceof FileMissing)) throw error;
    });
    if (rows) return kind === 'data' ? rowsOf(rows, columnsOf(table)) : rowsOf(rows, REJECT_COLUMNS);
  }
  throw new AppError('UNAVAILABLE', 'The files of the table are being replaced; try again shortly.');
}

const REJECT_COLUMNS: Columns = new Map([...SYSTEM_COLUMNS, 'reason', 'record'].map((name) => [name, false]));

/** Whether their values are JSON. */
type Columns = ReadonlyMap<string, boolean>;

function columnsOf({ schema: { fields } }: Lean<CatalogTable>): Columns {
  return new Map([
    ...SYSTEM_COLUMNS.map((name) => [name, false] as const),
    ...fields.map(({ name, type }) => [name, type === 'JSON' || name === EXTRA_COLUMN] as const),
  ]);
}

interface Found {
  readonly names: readonly string[];
  readonly rows: readonly (readonly DuckDBValue[])[];
}

function readFiles(
  { localFiles, duckdb }: TableParts,
  files: readonly Lean<TableFile>[],
  limit: number,
): Promise<Found> {
  const kept = files.map((file) => ({ key: tableFileKey({ ...file, tableId: file.table }), bytes: file.bytes }));
  return localFiles.use(kept, (paths) => duckdb.connect((connection) => select(connection, paths, limit)));
}

async function select(connection: DuckDBConnection, paths: readonly string[], limit: number): Promise<Found> {
  const source = `read_parquet([${paths.map(sqlText).join(', ')}], union_by_name = true)`;
  const described = await connection.runAndReadAll(`describe select * from ${source}`);
  const columns = described.getRows().map(([name, type]) => ({ name: String(name), type: String(type) }));
  const spelled = columns.map(({ name, type }) => spellColumn(sqlName(name), type)).join(', ');
  const result = await connection.runAndReadAll(`select ${spelled} from ${source} limit ${Math.trunc(limit)}`);
  return { names: columns.map(({ name }) => name), rows: result.getRows() };
}

function rowsOf({ names, rows }: Found, columns: Columns): TableRow[] {
  const places = [...columns].map(([name, isJson]) => ({ name, isJson, at: names.indexOf(name) }));
  const answer: TableRow[] = [];
  let size = 0;
  for (const values of rows) {
    const row: TableRow = Object.create(null);
    for (const { name, isJson, at } of places) row[name] = jsonOf(values[at] ?? null, isJson);
    size += JSON.stringify(row).length;
    if (size > MOST_CHARACTERS) break;
    answer.push(row);
  }
  return answer;
}

function jsonOf(value: DuckDBValue, isJson: boolean): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  return isJson && typeof value === 'string' ? readJson(value) : value;
}
