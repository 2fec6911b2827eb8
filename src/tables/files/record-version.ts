import type { EntityManager } from '@mikro-orm/postgresql';
import { deferPrepared } from '../../kernel/execute-prepared.js';
import { decodeId } from '../../kernel/ids.js';
import type { TableField, TableSchema } from '../table-schema.js';
import type { ChangedType, TableChangeCause } from '../table-version.js';

export interface ChangeCause {
  readonly kind: TableChangeCause;
  /** Id of the tap run. Set for the kind `sync`. */
  readonly tapRunId?: string;
  /** UUID in `_batch` of the new rows. Set for the kinds `push` and `publication`. */
  readonly batch?: string | undefined;
}

interface ColumnChange {
  readonly addedColumns: readonly TableField[];
  readonly changedTypes: readonly ChangedType[];
}

/**
 * For the held records of a table, selects the columns that these records need, and the number of records per column.
 * If records need several types for a column, selects the type that `evolveSchema` would add.
 */
const PROPOSED_COLUMNS = `
select json_agg(json_build_object('name', name, 'type', type, 'records', records) order by records desc, name) from (
  select p.name, sum(p.records)::int8 as records,
    case when count(distinct p.type) = 1 then min(p.type) when bool_and(p.type in ('Integer', 'Double')) then 'Double' else 'JSON' end as type
  from table_file f, json_to_recordset(f.proposed_columns) as p(name text, type text, records int8)
  where f.tenant_id = catalog_table.tenant_id and f.table_id = catalog_table.id and f.state = 'live' and f.kind = 'held'
  group by p.name
) c`;

export const UPDATE_TOTALS = `
update catalog_table set rows = s.rows, bytes = s.bytes, file_count = s.files, rejected_rows = s.rejected, held_records = s.held,
  first_received_at = s.first, last_received_at = s.last,
  proposed_columns = case when s.held > 0 then (${PROPOSED_COLUMNS}) end
from (
  select coalesce(sum(rows) filter (where kind = 'data'), 0) as rows, coalesce(sum(rows) filter (where kind = 'rejects'), 0) as rejected,
    coalesce(sum(rows) filter (where kind = 'held'), 0) as held,
    coalesce(sum(bytes), 0) as bytes, count(*) filter (where kind = 'data') as files,
    min(first_received_at) filter (where kind = 'data') as first, max(last_received_at) filter (where kind = 'data') as last
  from table_file where tenant_id = ? and table_id = ? and state = 'live'
) s where tenant_id = ? and id = ?`;

const RECORD_VERSION = `
with totals as (${UPDATE_TOTALS} returning catalog_table.rows, catalog_table.bytes, version, schema_version),
superseded as (
  update table_version set readable_until = ? where tenant_id = ? and table_id = ? and number = ?
)
insert into table_version (id, tenant_id, table_id, number, created_at, cause, tap_run_id, batch, rows, bytes, schema_version, added_columns, changed_types)
select gen_random_uuid(), ?, ?, version, clock_timestamp(), ?, ?, ?, rows, bytes, schema_version, ?, ? from totals`;

/** Also updates the totals of the table. Readers can read the previous version until `keptUntil`. */
export async function recordVersion(
  em: EntityManager,
  table: readonly unknown[],
  {
    cause,
    columns,
    version,
    keptUntil,
  }: {
    readonly cause: ChangeCause;
    readonly columns: ColumnChange | undefined;
    readonly version: number;
    readonly keptUntil: string;
  },
): Promise<void> {
  const { kind, tapRunId, batch = null } = cause;
  const jsonOf = (list: readonly object[] | undefined): string | null => (list ? JSON.stringify(list) : null);
  await deferPrepared(em, RECORD_VERSION, [
    ...[...table, ...table, keptUntil, ...table, version - 1, ...table],
    ...[kind, tapRunId === undefined ? null : decodeId(tapRunId), batch],
    ...[jsonOf(columns?.addedColumns), jsonOf(columns?.changedTypes)],
  ]);
}

export function columnChange(before: TableSchema, after: TableSchema): ColumnChange {
  const known = new Map(before.fields.map((field) => [field.name, field]));
  const addedColumns = after.fields.filter(({ name }) => !known.has(name));
  const changedTypes = after.fields.flatMap((field) => {
    const old = known.get(field.name);
    const [from, to] = [old && typeOf(old), typeOf(field)];
    return from === undefined || from === to ? [] : [{ name: field.name, from, to }];
  });
  return { addedColumns, changedTypes };
}

function typeOf({ type, scale }: TableField): string {
  return scale === undefined ? type : `${type}(${scale})`;
}
