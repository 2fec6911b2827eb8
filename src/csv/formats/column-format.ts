import type { SchemaField } from '../model/data-schema.js';

/** Properties of a field that determine how to read its values. */
export type ColumnFormat = Omit<SchemaField, 'name' | 'title' | 'nullable' | 'nullTokens'>;

/**
 * Reads one trimmed, non-empty value and returns it in a canonical format, which PostgreSQL also accepts. Examples are
 * digits with a decimal point, `true`, ISO 8601 and lower-case hexadecimal digits. Returns undefined if the value does
 * not fit the type. Never converts to a number, because a conversion may lose digits.
 */
export type ValueReader = (text: string) => string | undefined;

/** A reason why a type or format may be wrong. */
export interface Doubt {
  /**
   * `medium` and `low` limit the confidence in the type. With `undecided`, the type applies only if the caller proposed
   * it.
   */
  readonly level: 'medium' | 'low' | 'undecided';
  /** One sentence. If another type or format fits, the sentence contains its name. */
  readonly reason: string;
}

export interface TypeProposal {
  readonly format: ColumnFormat;
  readonly doubts: readonly Doubt[];
}

export function isUndecided({ doubts }: TypeProposal): boolean {
  return doubts.some(({ level }) => level === 'undecided');
}
