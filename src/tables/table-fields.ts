import type { SchemaField } from '../csv/model/data-schema.js';
import {
  CHANGE_COLUMNS,
  EXTRA_COLUMN,
  HISTORY_COLUMNS,
  RECORD_COLUMNS,
  SYSTEM_COLUMNS,
  type TableField,
  tableFieldOf,
} from './table-schema.js';

/**
 * Converts the fields of a file to fields of a table, in the same order. In a file, two names can be equal except for
 * their case, and a name can equal the name of a system column. A table does not allow such names, so the second `ID`
 * becomes `ID_2`.
 */
export function tableFieldsOf(fields: readonly SchemaField[]): TableField[] {
  const wanted = new Set(fields.map(({ name }) => name.toLowerCase()));
  const used = new Set<string>([
    ...SYSTEM_COLUMNS,
    ...RECORD_COLUMNS,
    ...HISTORY_COLUMNS,
    ...CHANGE_COLUMNS,
    EXTRA_COLUMN,
  ]);
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
