import type { SiblingSeparators } from '../formats/detect-number-format.js';
import type { SchemaField } from '../model/data-schema.js';
import { ColumnSample } from '../types/column-sample.js';
import { splitNullTokens } from './null-tokens.js';

export interface SampledColumn {
  readonly field: SchemaField;
  /** All strings in row order. A missing value is `''`. */
  readonly texts: readonly string[];
  /** Non-empty strings of the rows that determine the type. */
  readonly presentTexts: readonly string[];
  /** The `presentTexts` that are not null tokens. */
  readonly sample: ColumnSample;
  readonly tokens: readonly string[];
  /** Null tokens that `findRepeatedToken` has found, and the number of their occurrences. */
  readonly repeatedTokens: readonly { readonly token: string; readonly count: number }[];
}

/** `voters` contains, for each row, whether the row determines the type. */
export function prepareColumn(field: SchemaField, texts: readonly string[], voters: readonly boolean[]): SampledColumn {
  const presentTexts = texts.filter((text, row) => text !== '' && voters[row]);
  const { values, tokens } = splitNullTokens(presentTexts);
  return { field, texts, presentTexts, sample: new ColumnSample(values), tokens, repeatedTokens: [] };
}

/** Reads a column again with the decimal separator of other columns, unless its own values prove a separator. */
export function withSiblings(column: SampledColumn, siblings: SiblingSeparators): SampledColumn {
  const { numberFormat, values } = column.sample;
  const isOpen = numberFormat && !numberFormat.isDecisive && numberFormat.doubts.length > 0;
  return isOpen ? { ...column, sample: new ColumnSample(values, siblings) } : column;
}

/** Treats `token` as a missing value. Case-insensitive. */
export function withNullToken(column: SampledColumn, token: string): SampledColumn {
  const lower = token.toLowerCase();
  const values = column.sample.values.filter((value) => value.toLowerCase() !== lower);
  const count = column.sample.values.length - values.length;
  return {
    ...column,
    sample: column.sample.withValues(values),
    tokens: [...column.tokens, lower],
    repeatedTokens: [...column.repeatedTokens, { token, count }],
  };
}
