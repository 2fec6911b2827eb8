import { sqlName, sqlText } from '../duckdb.js';
import type { StagingFile } from './staging-file.js';
import { MARK, ORIGIN_COLUMNS, SEPARATOR } from './staging-format.js';

/** Minimum size of DuckDB's read buffer. A line must fit into the buffer. */
const MIN_READ_BUFFER_BYTES = 8 * 2 ** 20;

/**
 * Returns a table function that reads a staging file with `count` values per line. All values are text (see
 * `stagingValueSql` and `stagingOriginSql`).
 */
export function stagingFileSql({ path, longestLine }: StagingFile, count: number): string {
  const buffer = String(Math.max(MIN_READ_BUFFER_BYTES, 2 * longestLine));
  const names = [...ORIGIN_COLUMNS, ...Array.from({ length: count }, (_, nth) => columnOf(nth))];
  const columns = names.map((name) => `${sqlName(name)}: 'VARCHAR'`);
  const options = {
    ...{ auto_detect: 'false', header: 'false', skip: '0', strict_mode: 'true', null_padding: 'false' },
    ...{ delim: sqlText(SEPARATOR), quote: "''", escape: "''", comment: "''", nullstr: "''" },
    ...{ new_line: String.raw`'\n'`, encoding: "'utf-8'", compression: "'none'" },
    ...{ max_line_size: buffer, buffer_size: buffer, columns: `{${columns.join(', ')}}` },
  };
  const list = Object.entries(options).map(([name, value]) => `${name} = ${value}`);
  return `read_csv(${sqlText(path)}, ${list.join(', ')})`;
}

export function stagingValueSql({ marked }: StagingFile, nth: number): string {
  const column = columnOf(nth);
  if (!marked.has(nth)) return column;
  return `case when starts_with(${column}, ${sqlText(MARK)}) then decode(unhex(substr(${column}, 2))) else ${column} end`;
}

/** Returns one object per column of the origin. `own` is the SQL of the value in the line. `usual` replaces a null. */
export function stagingOriginSql({ usual }: StagingFile): { own: string; usual: string | undefined }[] {
  return ORIGIN_COLUMNS.map((name) => ({ own: sqlName(name), usual: name === 'row' ? undefined : usual[name] }));
}

function columnOf(nth: number): string {
  return `c${nth}`;
}
