import type { FieldType, SchemaField } from '../csv/model/data-schema.js';

/** Columns of a table in addition to `SYSTEM_COLUMNS`. Stored as JSON. */
export interface TableSchema {
  /** At most 4,096 fields, in order of arrival. Names must not differ only in case. */
  readonly fields: readonly TableField[];
}

/** All fields are nullable. */
export interface TableField {
  readonly name: string;
  readonly type: FieldType;
  /** Number of decimal places; only for Decimal. */
  readonly scale?: number;
}

/**
 * Origin of a row: `_batch` is the UUID of the batch or file, `_row` is the position in it from 1, `_received_at` is
 * the time when the service received it.
 */
export const SYSTEM_COLUMNS = ['_batch', '_row', '_received_at'] as const;

/** JSON object with the properties of a record that have no column. */
export const EXTRA_COLUMN = '_extra';

/** Drops the properties of a file's field that a table does not store. */
export function tableFieldOf({ name, type, scale }: SchemaField): TableField {
  return { name, type, ...(type === 'Decimal' && { scale: scale ?? 0 }) };
}
