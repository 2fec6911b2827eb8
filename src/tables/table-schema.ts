import type { FieldType, SchemaField } from '../csv/model/data-schema.js';

/** What the rows of a table are made of, beside the columns that every table has (see `SYSTEM_COLUMNS`). Stored as it is. */
export interface TableSchema {
  /** In the order in which they came, 4,096 at the most. Names differ by more than case. */
  readonly fields: readonly TableField[];
}

/** Each value may be missing. */
export interface TableField {
  readonly name: string;
  readonly type: FieldType;
  /** Decimal: digits behind the point. */
  readonly scale?: number;
}

/** Says where a row came from: `_batch` is the UUID of the batch or the file, `_row` counts from 1 within it, `_received_at` is when it came in. */
export const SYSTEM_COLUMNS = ['_batch', '_row', '_received_at'] as const;

/** A JSON object with all that has no column of its own, where there is such. */
export const EXTRA_COLUMN = '_extra';

/** What a table keeps of the fields of a file. */
export function tableFieldOf({ name, type, scale }: SchemaField): TableField {
  return { name, type, ...(type === 'Decimal' && { scale: scale ?? 0 }) };
}
