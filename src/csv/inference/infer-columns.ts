import type { ColumnMetadata, ProposedTypes, SchemaField } from '../model/data-schema.js';
import { inferColumn } from './infer-column.js';

/** Sample size. Even types inferred from 1,000 rows are rarely wrong for later rows. */
export const INFERENCE_ROWS = 10_000;

/**
 * Infers the types of all columns from the first 10,000 rows, which may be shorter or longer than the header.
 * Deterministic. `proposals`, by field name, are tried before the detected types.
 */
export function inferColumns(
  fields: readonly SchemaField[],
  rows: Iterable<readonly (string | undefined)[]>,
  proposals: ProposedTypes = {},
): { fields: SchemaField[]; columnMetadata: ColumnMetadata[] } {
  const columns: string[][] = fields.map(() => []);
  let count = 0;
  for (const row of rows) {
    for (const [at, column] of columns.entries()) column.push(row[at]?.trim() ?? '');
    if (++count === INFERENCE_ROWS) break;
  }
  const inferred = fields.map((field, at) => {
    const given = Object.hasOwn(proposals, field.name) ? proposals[field.name] : undefined;
    return inferColumn(field, columns[at] ?? [], given);
  });
  return { fields: inferred.map(({ field }) => field), columnMetadata: inferred.map(({ metadata }) => metadata) };
}
