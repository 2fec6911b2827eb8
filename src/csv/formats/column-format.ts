import type { SchemaField } from '../model/data-schema.js';

/** Properties of a field that determine how its values are read. */
export type ColumnFormat = Omit<SchemaField, 'name' | 'title' | 'nullable' | 'nullTokens'>;

/**
 * Reads one trimmed, non-empty value and returns it in a canonical format, which PostgreSQL also accepts. Examples are
 * digits with a decimal point, `true`, ISO 8601 and lower-case hexadecimal digits. Undefined if the value does not fit
 * the type. Never converts to a number, so that no digit is lost.
 */
export type ValueReader = (text: string) => string | undefined;

/** A reason why a type or format may be wrong. */
export interface Doubt {
  /**
   * `medium` and `low`: the highest confidence in the type. `undecided`: use the type only if it was proposed by the
   * caller.
   */
  readonly level: 'medium' | 'low' | 'undecided';
  /** One sentence, which names another type or format if one fits. */
  readonly reason: string;
}

export interface TypeProposal {
  readonly format: ColumnFormat;
  readonly doubts: readonly Doubt[];
}

export function isUndecided({ doubts }: TypeProposal): boolean {
  return doubts.some(({ level }) => level === 'undecided');
}
