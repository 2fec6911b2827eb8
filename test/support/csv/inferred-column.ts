import { inferColumns } from '../../../src/csv/inference/infer-columns.js';
import type { ColumnMetadata, ProposedTypes, SchemaField } from '../../../src/csv/model/data-schema.js';

type Given = ProposedTypes[string];

export function inferredColumn(
  values: readonly (string | undefined)[],
  { name = 'value', proposal }: { name?: string; proposal?: Given } = {},
): { field: SchemaField; metadata: ColumnMetadata } {
  const rows = values.map((value) => [value]);
  const column: SchemaField = { name, type: 'String', nullable: false };
  const { fields, columnMetadata } = inferColumns([column], rows, proposal && { [name]: proposal });
  return { field: fields[0] as SchemaField, metadata: columnMetadata[0] as ColumnMetadata };
}

/** Repeats the values 300 times, which is enough for high confidence. */
export function repeatValues<Value>(...values: Value[]): Value[] {
  return Array.from({ length: 300 }, () => values).flat();
}
