import type { ColumnFormat, TypeProposal, ValueReader } from '../formats/column-format.js';
import type { FieldType } from '../model/data-schema.js';
import type { ColumnSample } from './column-sample.js';

export interface ColumnType {
  readonly type: FieldType;
  /** Returns undefined if too few values resemble the type. */
  propose(sample: ColumnSample): TypeProposal | undefined;
  /** Returns undefined if the format is invalid. Callers may pass any format. */
  reader(format: ColumnFormat): ValueReader | undefined;
  /** Returns the name of the type with its article and format, such as `a date (dd/MM/yyyy)`. */
  describe(format: ColumnFormat): string;
  /**
   * Returns the format with the properties that depend on all values. Returns undefined if the type cannot represent
   * all values.
   */
  measure?(format: ColumnFormat, values: Iterable<string>): ColumnFormat | undefined;
  /** Maximum length of a value in characters. Defaults to 256. */
  readonly maxCharacters?: number;
}

const MAX_VALUE_CHARACTERS = 256;

/** The reader returns undefined for a value that exceeds the length limit of the type. */
export function createBoundedReader(type: ColumnType, format: ColumnFormat): ValueReader | undefined {
  const read = type.reader(format);
  const longest = type.maxCharacters ?? MAX_VALUE_CHARACTERS;
  return read && ((text) => (text.length > longest ? undefined : read(text)));
}
