import type { SchemaField } from '../model/data-schema.js';

/** Properties of a field that determine how its values are read. */
export type ColumnFormat = Omit<SchemaField, 'name' | 'title' | 'nullable' | 'nullTokens'>;

/**
 * Reads one trimmed, non-empty value and returns it in a canonical format, which PostgreSQL also accepts. Examples are
 * digits with a decimal point, `true`, ISO 8601 and lower-case hexadecimal digits. Undefined if the value does not fit
 * the type. Never converts to a number, so that no digit is lost.
 */
export type ValueReader = (text: string) => string | undefined;

export interface TypeProposal {
  readonly format: ColumnFormat;
  /**
   * Another format fits as well. `low`: use this format with low confidence. `undecided`: use it only if proposed by
   * the caller.
   */
  readonly doubt?: 'low' | 'undecided';
}
