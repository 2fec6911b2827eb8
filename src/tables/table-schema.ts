import type { FieldType, SchemaField } from '../csv/model/data-schema.js';

/** Columns of a table in addition to `SYSTEM_COLUMNS`. The database stores the schema as JSON. */
export interface TableSchema {
  /** Columns in the order of arrival, at most 4,096. Names must differ in more than their case. */
  readonly fields: readonly TableField[];
}

/** All columns are nullable. */
export interface TableField {
  readonly name: string;
  readonly type: FieldType;
  /** Number of decimal places. Only for Decimal. */
  readonly scale?: number;
  /** Only for Decimal: `%`, or the sign or ISO 4217 code of a currency. With `%`, the value 12.5 means 12.5 %. */
  readonly unit?: string;
}

/**
 * Origin of a row: the UUID of the batch or file, the position in the batch or file (from 1), and the time at which the
 * service received the row.
 */
export const SYSTEM_COLUMNS = ['_batch', '_row', '_received_at'] as const;

/**
 * Columns in the files of tables with the mode `upsert` or `history`. They contain the primary key as a string, the
 * version of the record, and whether the record was deleted. They are null in rows of records without a key.
 */
export const RECORD_COLUMNS = ['_record_key', '_record_version', '_record_deleted'] as const;

export const RECORD_FIELDS: readonly TableField[] = [
  { name: RECORD_COLUMNS[0], type: 'String' },
  { name: RECORD_COLUMNS[1], type: 'DateTimeOffset' },
  { name: RECORD_COLUMNS[2], type: 'Boolean' },
];

/**
 * Start and end of the period for which a version of a record is current. Only in tables with the mode `history`, and
 * in tables that still have rows of this mode.
 */
export const HISTORY_COLUMNS = ['_valid_from', '_valid_to'] as const;

/**
 * Columns of tables that are too large for merges by the service. Readers merge the rows of these tables. `_op` is
 * `upsert` or `delete`: the row changes or deletes its record. `_version` is the version of the record.
 */
export const CHANGE_COLUMNS = ['_op', '_version'] as const;

export const REJECT_FIELDS: readonly TableField[] = [
  { name: 'reason', type: 'String' },
  { name: 'record', type: 'String' },
];

export const HELD_FIELDS: readonly TableField[] = [...REJECT_FIELDS, ...RECORD_FIELDS];

/** A column that the held records of a table need. */
export interface ProposedColumn {
  readonly name: string;
  readonly type: string;
  /** Number of held records with the field. */
  readonly records: number;
}

/** For a table with the mode `upsert` or `history`. */
export function withRecordColumns({ fields }: TableSchema): TableSchema {
  return { fields: [...fields, ...RECORD_FIELDS] };
}

export function withoutRecordColumns(schema: TableSchema): TableSchema {
  const fields = schema.fields.filter((field) => !RECORD_FIELDS.includes(field));
  return fields.length < schema.fields.length ? { fields } : schema;
}

/** JSON object with those fields of a record that have no column. */
export const EXTRA_COLUMN = '_extra';

/** Omits the properties of a file's field that a table does not store. */
export function tableFieldOf({ name, type, scale, unit }: SchemaField): TableField {
  return { name, type, ...(type === 'Decimal' && { scale: scale ?? 0, ...(unit !== undefined && { unit }) }) };
}
