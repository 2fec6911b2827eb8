import type { SchemaField } from '../model/data-schema.js';

/** What says how the values of a field are read. */
export type ColumnFormat = Omit<SchemaField, 'name' | 'title' | 'nullable' | 'nullTokens'>;

/**
 * Reads one value, trimmed and not empty. Answers it in one spelling for all files, which PostgreSQL reads as well: digits with a point, `true`,
 * ISO 8601, lower-case hexadecimals. Undefined where the value is not of the type. Nothing passes through a number on the way, so no digit is lost.
 */
export type ValueReader = (text: string) => string | undefined;

export interface TypeProposal {
  readonly format: ColumnFormat;
  /** Where another reading fits just as well: `low` takes this one all the same, `undecided` takes none unless somebody says which. */
  readonly doubt?: 'low' | 'undecided';
}
