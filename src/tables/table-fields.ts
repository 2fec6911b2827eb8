import type { SchemaField } from '../csv/model/data-schema.js';
import { EXTRA_COLUMN, SYSTEM_COLUMNS, type TableField, tableFieldOf } from './table-schema.js';

/**
 * The fields of a table for those of a file, in the same order. Names of a file may differ by case alone, or be that of a column which every
 * table has; those of a table may not, so the second `ID` is `ID_2`.
 */
export function tableFieldsOf(fields: readonly SchemaField[]): TableField[] {
  const wanted = new Set(fields.map(({ name }) => name.toLowerCase()));
  const used = new Set<string>([...SYSTEM_COLUMNS, EXTRA_COLUMN]);
  return fields.map((field) => {
    let name = field.name;
    for (
      let number = 2;
      used.has(name.toLowerCase()) || (name !== field.name && wanted.has(name.toLowerCase()));
      number++
    )
      name = `${field.name}_${number}`;
    used.add(name.toLowerCase());
    return { ...tableFieldOf(field), name };
  });
}
