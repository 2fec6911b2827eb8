import type { ColumnMetadata, ProposedTypes, SchemaField } from '../model/data-schema.js';
import { inferColumn } from './infer-column.js';

/** Rows whose values are looked at. Of types guessed from the first thousand hardly one turns out wrong further down. */
export const INFERENCE_ROWS = 10_000;

/**
 * The types of all columns, by the first 10,000 of `rows`; a row may be shorter than the header, or longer. The same rows give the same answer.
 * `proposals` by name of the field take the place of what the rules would try first; the values decide all the same.
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
