import type { DuckDBConnection } from '@duckdb/node-api';
import { Semaphore } from '../../kernel/concurrency/semaphore.js';
import { sqlName, sqlText } from '../duckdb.js';
import { SYSTEM_COLUMNS, type TableField } from '../table-schema.js';
import { castSql } from './column-type.js';
import type { StagingFile } from './staging-file.js';
import { stagingFileSql, stagingOriginSql, stagingValueSql } from './staging-file-sql.js';

/** Readers skip or read row groups as a whole. */
const MAX_ROW_GROUP_ROWS = 122_880;
/** DuckDB processes this many rows together. */
const MIN_ROW_GROUP_ROWS = 2_048;
/** Limits the memory of a row group. */
const MAX_ROW_GROUP_VALUES = 2 ** 22;

/**
 * Maximum sizes of the dictionaries, per column and for all columns together. DuckDB allocates the dictionary of each
 * text column in advance.
 */
const MAX_DICTIONARY_BYTES = 2 ** 20;
const MAX_DICTIONARIES_BYTES = 2 ** 26;

const SYSTEM_FIELDS: readonly TableField[] = [
  { name: SYSTEM_COLUMNS[0], type: 'UUID' },
  { name: SYSTEM_COLUMNS[1], type: 'Integer' },
  { name: SYSTEM_COLUMNS[2], type: 'DateTimeOffset' },
];

/** Writes a staging file to a Parquet file, with the system columns last. Returns the number of rows. */
export async function writeStagingFile(
  connection: DuckDBConnection,
  part: StagingFile,
  fields: readonly TableField[],
  path: string,
): Promise<number> {
  const origin = stagingOriginSql(part).map(({ own, usual }, nth) => {
    const field = SYSTEM_FIELDS[nth] as TableField;
    const value = castSql(field, own);
    return named(usual === undefined ? value : `coalesce(${value}, ${castSql(field, sqlText(usual))})`, field);
  });
  const values = fields.map((field, nth) => named(castSql(field, stagingValueSql(part, nth)), field));
  const query = `select ${[...values, ...origin].join(', ')} from ${stagingFileSql(part, fields.length)}`;
  return writeParquet(connection, query, values.length + origin.length, path);
}

/**
 * A statement occupies one of the four threads of libuv. These threads also read files and verify signatures, so more
 * than two concurrent statements would delay requests.
 */
const writers = new Semaphore(2);

/** Writes the result of a query with `columns` columns to a Parquet file. Returns the number of rows. */
export async function writeParquet(
  connection: DuckDBConnection,
  query: string,
  columns: number,
  path: string,
): Promise<number> {
  const rows = Math.max(MIN_ROW_GROUP_ROWS, Math.min(MAX_ROW_GROUP_ROWS, Math.floor(MAX_ROW_GROUP_VALUES / columns)));
  const dictionary = Math.min(MAX_DICTIONARY_BYTES, Math.floor(MAX_DICTIONARIES_BYTES / columns));
  const options = `format parquet, compression zstd, row_group_size ${rows}, string_dictionary_page_size_limit ${dictionary}`;
  const sql = `copy (${query}) to ${sqlText(path)} (${options})`;
  const result = await writers.run(() => connection.runAndReadAll(sql));
  return Number(result.value(0, 0));
}

function named(value: string, { name }: TableField): string {
  return `${value} as ${sqlName(name)}`;
}
