import type { FieldType } from '../../csv/model/data-schema.js';
import { sqlName, sqlText } from '../../tables/duckdb.js';
import { columnJsonSql } from '../../tables/queries/column-json-sql.js';
import { duckDbTypeOf } from '../../tables/staging/column-type.js';
import { CHANGE_COLUMNS, RECORD_FIELDS, type TableField, type TableSchema } from '../../tables/table-schema.js';
import { CheckError } from './check-error.js';

type ColumnKind = 'number' | 'time' | 'text' | 'boolean';

export interface InspectedColumn {
  readonly field: TableField;
  readonly kind: ColumnKind;
  readonly sql: string;
  readonly isSensitive: boolean;
}

const COLUMN_KIND_BY_TYPE: Readonly<Record<FieldType, ColumnKind>> = {
  String: 'text',
  Time: 'text',
  UUID: 'text',
  JSON: 'text',
  Boolean: 'boolean',
  Integer: 'number',
  Decimal: 'number',
  Double: 'number',
  Date: 'time',
  DateTime: 'time',
  DateTimeOffset: 'time',
};

export class InspectedColumns {
  readonly #byName: ReadonlyMap<string, InspectedColumn>;

  constructor({ fields }: TableSchema, sensitive: readonly string[]) {
    const columns = fields.map((field): InspectedColumn => {
      const { name, type } = field;
      return { field, kind: COLUMN_KIND_BY_TYPE[type], sql: sqlName(name), isSensitive: sensitive.includes(name) };
    });
    this.#byName = new Map(columns.map((column) => [column.field.name, column]));
  }

  get all(): InspectedColumn[] {
    return [...this.#byName.values()];
  }

  find(name: string): InspectedColumn | undefined {
    return this.#byName.get(name);
  }

  /** Throws `CheckError` if the column is undefined, unknown, or not of one of the `kinds`. */
  require(name: string | undefined, kinds?: readonly ColumnKind[]): InspectedColumn {
    if (name === undefined) throw new CheckError('the rule has no column');
    const column = this.find(name);
    if (!column) throw new CheckError('the column does not exist');
    if (kinds && !kinds.includes(column.kind))
      throw new CheckError(`the check does not support columns of type ${column.field.type}`);
    return column;
  }
}

/**
 * Returns SQL that formats the values as text: `true` and `false`, numbers without insignificant zeros, times in ISO
 * 8601.
 */
export function columnTextSql({ field, sql }: InspectedColumn): string {
  const type = duckDbTypeOf(field);
  // The addition changes -0 to 0.
  if (type === 'DOUBLE') return `regexp_replace(cast(${sql} + 0 as VARCHAR), '\\.0$', '')`;
  const text = columnJsonSql(sql, duckDbTypeName(type));
  if (field.type === 'Decimal' && field.scale) return `rtrim(rtrim(${text}, '0'), '.')`;
  return `cast(${text} as VARCHAR)`;
}

/** Returns the name that DuckDB reports for a type, which can differ from the name in the DDL. */
function duckDbTypeName(type: string): string {
  return type === 'TIMESTAMPTZ' ? 'TIMESTAMP WITH TIME ZONE' : type.replace(' ', '');
}

/**
 * Returns SQL for rows with these columns and the origin columns. Every listed column costs time, even if the query
 * does not use it.
 */
export type RowSource = (columns: Iterable<InspectedColumn>) => string;

/** Every file has these columns. */
const ORIGIN_COLUMNS = ['_batch', '_row'];

/**
 * A requested column that a file lacks is null. If each row is a change of a record (`areChanges`), the source contains
 * only the newest version of each record, and no deleted records. The `select` with `where false` only declares the
 * columns, and the optimizer of DuckDB removes it.
 */
export function createRowSource(paths: readonly string[], { areChanges = false } = {}): RowSource {
  const all = `read_parquet([${paths.map(sqlText).join(', ')}], union_by_name = true)`;
  const files = areChanges ? newestVersions(all) : all;
  return (columns) => {
    const named = [...columns];
    const names = [...named.map(({ field }) => field.name), ...ORIGIN_COLUMNS].map(sqlText);
    const found = `select columns(name -> name in (${names.join(', ')})) from ${files}`;
    const nulls = named.map(({ field, sql }) => `cast(null as ${duckDbTypeOf(field)}) as ${sql}`);
    return nulls.length === 0 ? `(${found})` : `(select ${nulls.join(', ')} where false union all by name ${found})`;
  };
}

const [OPERATION, CHANGE_VERSION] = CHANGE_COLUMNS;
const [KEY, VERSION] = RECORD_FIELDS.map(({ name }) => name);
const CHANGE_FIELDS: readonly TableField[] = [
  ...RECORD_FIELDS,
  { name: OPERATION, type: 'String' },
  { name: CHANGE_VERSION, type: 'DateTimeOffset' },
];

/**
 * Returns the query that docs/tables.md recommends to readers. Files that the service wrote while `mergedBy` of the
 * table was `service` lack some of `CHANGE_FIELDS`, so the query adds these columns as nulls.
 */
function newestVersions(files: string): string {
  const nulls = CHANGE_FIELDS.map((field) => `cast(null as ${duckDbTypeOf(field)}) as ${field.name}`);
  return `(from (
    from (select ${nulls.join(', ')} where false union all by name from ${files})
    qualify ${KEY} is null or row_number() over (
      partition by ${KEY} order by coalesce(${CHANGE_VERSION}, ${VERSION}) desc, ${OPERATION} = 'delete' desc, _received_at desc, _row desc) = 1
  ) where ${OPERATION} is distinct from 'delete')`;
}
