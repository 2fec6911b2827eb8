import type { DuckDBConnection } from '@duckdb/node-api';
import { castOf } from './column-fit.js';
import { sqlName, sqlText } from './duckdb.js';
import { readStaged, type StagedPart, stagedOrigin, stagedValue } from './staged-text.js';
import { SYSTEM_COLUMNS, type TableField } from './table-schema.js';

/** Rows of a row group: what readers skip or take as a whole. */
const ROW_GROUP = 122_880;
/** DuckDB works on as many rows at once. */
const LEAST_ROW_GROUP = 2_048;
/** Values of a row group, which stand in memory together. */
const GROUP_VALUES = 2 ** 22;

/** What DuckDB sets aside for each column of texts before there is one, and what it may be for all of them. */
const DICTIONARY_BYTES = 2 ** 20;
const DICTIONARIES_BYTES = 2 ** 26;

/** The columns that every file has. */
const SYSTEM_FIELDS: readonly TableField[] = [
  { name: SYSTEM_COLUMNS[0], type: 'UUID' },
  { name: SYSTEM_COLUMNS[1], type: 'Integer' },
  { name: SYSTEM_COLUMNS[2], type: 'DateTimeOffset' },
];

/** Writes a part, whose lines begin with the system columns, into a Parquet file, which ends with them; answers how many rows there are. */
export async function writeStaged(
  connection: DuckDBConnection,
  part: StagedPart,
  fields: readonly TableField[],
  path: string,
): Promise<number> {
  const origin = stagedOrigin(part).map(({ own, usual }, nth) => {
    const field = SYSTEM_FIELDS[nth] as TableField;
    const value = castOf(field, own);
    return named(usual === undefined ? value : `coalesce(${value}, ${castOf(field, sqlText(usual))})`, field);
  });
  const values = fields.map((field, nth) => named(castOf(field, stagedValue(part, nth)), field));
  const query = `select ${[...values, ...origin].join(', ')} from ${readStaged(part, fields.length)}`;
  return writeParquet(connection, query, values.length + origin.length, path);
}

/** Writes what a query of so many columns answers with into a Parquet file; answers how many rows that is. */
export async function writeParquet(
  connection: DuckDBConnection,
  query: string,
  columns: number,
  path: string,
): Promise<number> {
  const rows = Math.max(LEAST_ROW_GROUP, Math.min(ROW_GROUP, Math.floor(GROUP_VALUES / columns)));
  const dictionary = Math.min(DICTIONARY_BYTES, Math.floor(DICTIONARIES_BYTES / columns));
  const options = `format parquet, compression zstd, row_group_size ${rows}, string_dictionary_page_size_limit ${dictionary}`;
  const result = await connection.runAndReadAll(`copy (${query}) to ${sqlText(path)} (${options})`);
  return Number(result.value(0, 0));
}

function named(value: string, { name }: TableField): string {
  return `${value} as ${sqlName(name)}`;
}
