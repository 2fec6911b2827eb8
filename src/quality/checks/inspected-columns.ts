import type { FieldType } from '../../csv/model/data-schema.js';
import { sqlName, sqlText } from '../../tables/duckdb.js';
import { columnJsonSql } from '../../tables/queries/column-json-sql.js';
import { duckDbTypeOf } from '../../tables/staging/column-type.js';
import type { TableField, TableSchema } from '../../tables/table-schema.js';
import { CheckError } from './check-error.js';

type ColumnKind = 'number' | 'time' | 'text' | 'boolean';

export interface InspectedColumn {
  readonly field: TableField;
  readonly kind: ColumnKind;
  /** Its name, as SQL writes it. */
  readonly sql: string;
  /** Whether no result may show a value of it. */
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

/** The columns that rows have. */
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

  /** Throws `CheckError` where there is no such column, or it is of none of these kinds. */
  require(name: string | undefined, kinds?: readonly ColumnKind[]): InspectedColumn {
    if (name === undefined) throw new CheckError('it names no column');
    const column = this.find(name);
    if (!column) throw new CheckError('there is no such column');
    if (kinds && !kinds.includes(column.kind))
      throw new CheckError(`it is not made for columns of ${column.field.type}`);
    return column;
  }
}

/** SQL for its values as texts: true and false, numbers without zeros that say nothing, times in ISO 8601. */
export function columnTextSql({ field, sql }: InspectedColumn): string {
  const type = duckDbTypeOf(field);
  if (type === 'DOUBLE') return `regexp_replace(cast(${sql} + 0 as VARCHAR), '\\.0$', '')`; // -0 + 0 is 0
  const spelled = columnJsonSql(sql, duckDbTypeName(type));
  if (field.type === 'Decimal' && field.scale) return `rtrim(rtrim(${spelled}, '0'), '.')`;
  return `cast(${spelled} as VARCHAR)`;
}

/** What DuckDB calls a type, which is not always what it was told. */
function duckDbTypeName(type: string): string {
  return type === 'TIMESTAMPTZ' ? 'TIMESTAMP WITH TIME ZONE' : type.replace(' ', '');
}

/** SQL for rows with these columns, and with those that say where a row came from. Each column that is named takes time, whether or not it is asked about. */
export type RowSource = (columns: Iterable<InspectedColumn>) => string;

/** Columns that each file has. */
const ORIGIN_COLUMNS = ['_batch', '_row'];

/**
 * The rows of files: a column that no file has is null there, one that a file lacks is null in its rows. DuckDB finds out by itself that the first
 * half, which only says what the columns are, has no rows.
 */
export function createRowSource(paths: readonly string[]): RowSource {
  const files = `read_parquet([${paths.map(sqlText).join(', ')}], union_by_name = true)`;
  return (columns) => {
    const named = [...columns];
    const names = [...named.map(({ field }) => field.name), ...ORIGIN_COLUMNS].map(sqlText);
    const found = `select columns(name -> name in (${names.join(', ')})) from ${files}`;
    const nulls = named.map(({ field, sql }) => `cast(null as ${duckDbTypeOf(field)}) as ${sql}`);
    return nulls.length === 0 ? `(${found})` : `(select ${nulls.join(', ')} where false union all by name ${found})`;
  };
}
