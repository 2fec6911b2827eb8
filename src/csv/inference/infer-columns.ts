import type { SiblingSeparators } from '../formats/detect-number-format.js';
import type { ColumnMetadata, ProposedTypes, SchemaField } from '../model/data-schema.js';
import { inferColumn } from './infer-column.js';
import { prepareColumn, type SampledColumn, withSiblings } from './sampled-column.js';

/** Even with 1,000 rows, the inferred types are rarely wrong for later rows. */
export const INFERENCE_ROWS = 10_000;

/**
 * Infers the types of all columns from the first 10,000 rows. A row may be shorter or longer than the header. If at
 * least half of the rows have as many values as the header, only these rows determine the types. Deterministic.
 * `proposals` maps field names to types that this function tries first.
 */
export function inferColumns(
  fields: readonly SchemaField[],
  rows: Iterable<readonly (string | undefined)[]>,
  proposals: ProposedTypes = {},
): { fields: SchemaField[]; columnMetadata: ColumnMetadata[] } {
  const inferred = sampleColumns(fields, rows).map((column) => {
    const { name } = column.field;
    return inferColumn(column, Object.hasOwn(proposals, name) ? proposals[name] : undefined);
  });
  return { fields: inferred.map(({ field }) => field), columnMetadata: inferred.map(({ metadata }) => metadata) };
}

export function sampleColumns(
  fields: readonly SchemaField[],
  rows: Iterable<readonly (string | undefined)[]>,
): SampledColumn[] {
  const columns: string[][] = fields.map(() => []);
  const evenRows: boolean[] = [];
  for (const row of rows) {
    for (const [at, column] of columns.entries()) column.push(row[at]?.trim() ?? '');
    if (evenRows.push(isEven(row, fields.length)) === INFERENCE_ROWS) break;
  }
  const voters = evenRows.filter(Boolean).length * 2 >= evenRows.length ? evenRows : evenRows.map(() => true);
  const sampled = fields.map((field, at) => prepareColumn(field, columns[at] ?? [], voters));
  const siblings = findSeparators(sampled);
  return sampled.map((column) => withSiblings(column, siblings));
}

/** Ignores empty values beyond `width`. */
function isEven(row: readonly (string | undefined)[], width: number): boolean {
  return row.length >= width && row.slice(width).every((value) => !value);
}

function findSeparators(columns: readonly SampledColumn[]): SiblingSeparators {
  const found: { -readonly [separator in keyof SiblingSeparators]: SiblingSeparators[separator] } = {};
  for (const { field, sample } of columns) {
    const { numberFormat } = sample;
    if (numberFormat?.isDecisive) found[numberFormat.style.decimalSeparator] ??= field.name;
  }
  return found;
}
