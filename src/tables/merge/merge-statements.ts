import { sqlText } from '../duckdb.js';
import { duckDbTypeOf } from '../staging/column-type.js';
import { RECORD_FIELDS } from '../table-schema.js';

/**
 * SQL order in which the newest version comes first, regardless of the order of arrival. A deletion precedes an update
 * of the same version. Of several deletions or several updates of the same version, the row that was received last
 * comes first.
 */
const NEWEST_FIRST = `coalesce(version, '-infinity') desc, deleted desc, received desc, batch desc, nr desc`;

const FACTS = `
_record_key as key, _record_version as version, coalesce(_record_deleted, false) as deleted, _received_at as received, _batch as batch, _row as nr`;

/** SQL for rows of Parquet files, with the columns of `RECORD_COLUMNS` even if no file has them. */
export function rowsOf(paths: readonly string[], columns: ReadonlySet<string>): string {
  const source = `read_parquet([${paths.map(sqlText).join(', ')}], union_by_name = true, filename = 'file_path')`;
  const missing = RECORD_FIELDS.filter(({ name }) => !columns.has(name));
  const added = missing.map((field) => `null::${duckDbTypeOf(field)} as ${field.name}`);
  return added.length === 0 ? source : `(select *, ${added.join(', ')} from ${source})`;
}

/** Creates `newest`: for each key, the newest of the new rows. */
export const createNewest = (rows: string): string => `
create temp table newest as
select ${FACTS} from ${rows} where _record_key is not null
qualify row_number() over (partition by key order by ${NEWEST_FIRST}) = 1`;

/**
 * Creates `found`: the existing rows and deletions with a key of `newest`. `deletes` contains the paths of files with
 * deletions.
 */
export const createFound = (rows: string, deletes: readonly string[]): string => `
create temp table found as
select ${FACTS}, file_path as path, file_path not in (${['', ...deletes].map(sqlText).join(', ')}) as is_row
from ${rows} where _record_key in (select key from newest)`;

/**
 * Creates `winners`: the rows of `newest` that are at least as new as all existing rows with the same key. Omits
 * repeated deletions, because they change nothing.
 */
export const CREATE_WINNERS = `
create temp table winners as
select newest.* from newest left join (
  select * from found qualify row_number() over (partition by key order by ${NEWEST_FIRST}) = 1
) held using (key)
where held.key is null
  or row(coalesce(newest.version, '-infinity'), newest.deleted, newest.received) >= row(coalesce(held.version, '-infinity'), held.deleted, held.received)
    and not (newest.deleted and held.deleted and newest.version is not distinct from held.version)`;

/** Selects the paths of the files that contain a replaced row. */
export const SELECT_CHANGED_FILES = 'select distinct path from found semi join winners using (key) where is_row';

export const SELECT_COUNTS = 'select count(*)::int, count(*) filter (where deleted)::int from winners';

export const DROP_TABLES = 'drop table if exists newest; drop table if exists found; drop table if exists winners';

/**
 * SQL for the rows of a changed file that remain in the table. With `marks`, the table also keeps deleted rows, and the
 * statement marks them. The marked row of an absent record (`findAbsentRecords`) has no version, so that any version
 * of the record replaces the row.
 */
export function remainingRows(rows: string, marks: boolean): string {
  if (!marks) return `select * exclude (file_path) from ${rows} old anti join winners on old._record_key = winners.key`;
  return `
select old.* exclude (file_path, _record_key, _record_version, _record_deleted), _record_key,
  case when w.nr < 0 then null else coalesce(w.version, old._record_version) end as _record_version, w.deleted or old._record_deleted as _record_deleted
from ${rows} old left join winners w on old._record_key = w.key
where w.key is null or w.deleted`;
}

/**
 * SQL for the new rows that become part of the table: rows without a key, and the rows of `winners`. Without `marks`,
 * omits deletions. With `marks`, omits only deletions of records that the table contains, because `remainingRows` marks
 * the rows of these records.
 */
export function addedRows(rows: string, marks: boolean): string {
  const unwanted = marks ? 'w.deleted and (w.nr < 0 or w.key in (select key from found where is_row))' : 'w.deleted';
  return `
select added.* exclude (file_path) from ${rows} added left join winners w
  on added._record_key = w.key and added._batch = w.batch and added._row = w.nr
where added._record_key is null or (w.key is not null and not (${unwanted}))`;
}

/**
 * SQL for the deletions that the table keeps, so that a late, older version does not restore a row. Omits the deletions
 * of absent records (`findAbsentRecords`), because a later read can return such a record with the same version.
 */
export const deletions = (rows: string): string => `
select _record_key, _record_version, _record_deleted, _batch, _row, _received_at
from ${rows} added semi join (from winners where deleted and nr > 0) w
  on added._record_key = w.key and added._batch = w.batch and added._row = w.nr`;
