import { sqlName, sqlText } from '../duckdb.js';
import { HISTORY_COLUMNS, RECORD_COLUMNS, SYSTEM_COLUMNS } from '../table-schema.js';

/** Columns that are not part of the content of a record. */
export const OWN_COLUMNS: readonly string[] = [...SYSTEM_COLUMNS, ...RECORD_COLUMNS, ...HISTORY_COLUMNS, 'file_path'];

/**
 * SQL for rows of Parquet files, with `HISTORY_COLUMNS` even if no file has them. New rows and rows of other modes lack
 * these columns.
 */
export function withTimes(rows: string, columns: ReadonlySet<string>): string {
  const missing = HISTORY_COLUMNS.filter((name) => !columns.has(name)).map((name) => `null::timestamptz as ${name}`);
  return missing.length === 0 ? rows : `(select *, ${missing.join(', ')} from ${rows})`;
}

const isIn = (paths: readonly string[]): string => `file_path in (${['', ...paths].map(sqlText).join(', ')})`;

const ORIGIN = '_received_at as received, _batch as batch, _row as nr, file_path as path';

const IS_DELETED = 'coalesce(_record_deleted, false)';

/**
 * Creates `own`: the new rows, and the rows of the target table with the same keys. Two 64-bit hashes represent the
 * content of a row. The files do not contain the hashes, because another version of DuckDB may compute other hashes.
 */
export function createOwn(rows: string, parts: readonly string[], content: readonly string[]): string {
  const names = content.map(sqlName);
  const hashOf = (list: readonly string[]): string =>
    `case when ${IS_DELETED} then 0::ubigint else hash(${['1', ...list].join(', ')}) end`;
  return `
create temp table own as
with keyed as (from ${rows} where _record_key is not null),
touched as (select distinct _record_key as key from keyed where ${isIn(parts)})
select row_number() over () as id, _record_key as key, coalesce(_valid_from, _record_version) as version, ${ORIGIN},
  _valid_to as until, case when ${isIn(parts)} then 'new' else 'row' end as kind, ${IS_DELETED} as deleted,
  ${hashOf(names)} as h1, ${hashOf(names.toReversed())} as h2
from keyed where _record_key in (from touched)`;
}

/**
 * Creates `markers`. For records that have new rows, it contains the deletions and the versions with unchanged content.
 */
export const createMarkers = (rows: string, unchanged: readonly string[]): string => `
create temp table markers as
select _record_key as key, _record_version as version, ${ORIGIN},
  case when ${isIn(unchanged)} then 'unchanged' else 'deletion' end as kind
from ${rows} where _record_key in (select key from own)`;

/**
 * A record that is absent from a full read gets a deletion with a negative `_row`. If the same version of the record,
 * or an older version, arrives after this deletion, the record exists again from the time of receipt.
 */
export const REVIVE_ABSENT = `
update own set version = received where kind = 'new' and not deleted and exists (
  select 1 from markers m
  where m.key = own.key and m.kind = 'deletion' and m.nr < 0 and m.version >= own.version and m.received < own.received)`;

const STATE = 'row(source = 0, h1, h2)';

/**
 * Creates `observations`: one row for each known version of a record. `source` is the id of the row with the content of
 * the version, or 0 for a deletion. An unchanged version has the content of the version before it. If several rows have
 * the same version, a deletion takes precedence. Without a deletion, the row that was received last takes precedence.
 * If the target table already has a row with this version and content, that row remains, and the new row is not added.
 */
export const CREATE_OBSERVATIONS = `
create temp table observations as
with held as (
  select key, version, received, batch, nr, path, until, kind,
    last_value(source ignore nulls) over earlier as source, last_value(h1 ignore nulls) over earlier as h1, last_value(h2 ignore nulls) over earlier as h2
  from (
    select *, case when deleted then 0 else id end as source from own where kind = 'row' union all by name
    select *, 0 as source, 0::ubigint as h1, 0::ubigint as h2 from markers where kind = 'deletion' union all by name
    from markers where kind = 'unchanged'
  )
  window earlier as (partition by key order by version, kind = 'unchanged', source = 0, received, batch, nr rows between unbounded preceding and current row)
)
from (
  from held where source is not null union all by name
  select * exclude (id, deleted), case when deleted then 0 else id end as source from own where kind = 'new'
)
window newest as (partition by key, version order by source = 0 desc, received desc, kind = 'new' desc, batch desc, nr desc),
  same as (partition by key, version, ${STATE} order by kind = 'new', kind = 'unchanged', received desc, batch desc, nr desc)
qualify ${STATE} = first_value(${STATE}) over newest and row_number() over same = 1`;

/**
 * Creates `versions`: the observations with their place in the history. If consecutive versions have the same content,
 * the first version starts a row. `is_kept` marks a row of the target table that remains unchanged.
 */
export const CREATE_VERSIONS = `
create temp table versions as
select *, kind = 'row' and starts and until is not distinct from valid_to as is_kept
from (
  select *, min(version) filter (where starts) over later as valid_to, not starts and coalesce(lead(starts) over record, true) as is_last
  from (
    select *, lag(version) over record is null or ${STATE} <> lag(${STATE}) over record as starts
    from observations window record as (partition by key order by version)
  )
  window record as (partition by key order by version), later as (partition by key order by version rows between 1 following and unbounded following)
)`;

/** Creates `removed`: the rows that are no longer necessary or whose times change, with the file of each row. */
export const CREATE_REMOVED = `
create temp table removed as
select path, batch, nr from own anti join (from versions where is_kept) kept using (path, batch, nr) where kind = 'row' union all
select path, batch, nr from markers
anti join (from versions where is_last or (starts and kind = 'deletion')) kept using (path, batch, nr)`;

export const remainingRows = (rows: string): string => `
select * exclude (file_path) from ${rows} old anti join removed on old.file_path = removed.path and old._batch = removed.batch and old._row = removed.nr`;

const ADDED_VERSIONS = 'from versions where starts and source <> 0 and not is_kept';

/** Selects the files that contain the content of the added rows. */
export const SELECT_SOURCES = `select distinct path from own where id in (select source ${ADDED_VERSIONS})`;

/**
 * SQL for the rows that become part of the table. If an unchanged version becomes a row, its content comes from another
 * row of the record.
 */
export const addedRows = (rows: string, parts: readonly string[]): string => `
select source.* exclude (${[...OWN_COLUMNS].join(', ')}), added.key as _record_key, added.version as _record_version, null::boolean as _record_deleted,
  added.version as _valid_from, added.valid_to as _valid_to, added.batch as _batch, added.nr as _row, added.received as _received_at
from ${rows} source
join own on source.file_path = own.path and source._batch = own.batch and source._row = own.nr
join (${ADDED_VERSIONS}) added on own.id = added.source
union all by name
select * exclude (file_path) from ${rows} where _record_key is null and ${isIn(parts)}`;

const MARKER_COLUMNS = `key as _record_key, version as _record_version, source = 0 as _record_deleted, batch as _batch, nr as _row, received as _received_at`;

/** Selects the deletions that the table does not contain yet. */
export const ADDED_DELETIONS = `
select ${MARKER_COLUMNS} from versions where starts and source = 0 and kind <> 'deletion' and not is_kept`;

/**
 * If consecutive versions have the same content, selects the last version. The table keeps the time of this version,
 * because a late version with different content may belong between the first and the last version.
 */
export const ADDED_UNCHANGED = `
select ${MARKER_COLUMNS} from versions where is_last and kind not in ('deletion', 'unchanged')`;

export const DROP_TABLES = ['own', 'markers', 'observations', 'versions', 'removed']
  .map((name) => `drop table if exists ${name}`)
  .join('; ');
