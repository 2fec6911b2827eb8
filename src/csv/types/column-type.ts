import type { ColumnFormat, TypeProposal, ValueReader } from '../formats/column-format.js';
import type { FieldType } from '../model/data-schema.js';
import type { ColumnSample } from './column-sample.js';

/** How a type is detected and read. */
export interface ColumnType {
  readonly type: FieldType;
  /** Proposes a format of this type. Undefined if too few values look like the type. */
  propose(sample: ColumnSample): TypeProposal | undefined;
  /** Returns undefined if the format is invalid: the caller may propose formats. */
  reader(format: ColumnFormat): ValueReader | undefined;
  /** Name with article and format, such as `a date (dd/MM/yyyy)`. */
  describe(format: ColumnFormat): string;
  /** Adds properties that depend on all values. Undefined if the type cannot hold all of them. */
  measure?(format: ColumnFormat, values: Iterable<string>): ColumnFormat | undefined;
  /** Maximum length of a value in characters; defaults to 256. */
  readonly maxCharacters?: number;
}

const MAX_VALUE_CHARACTERS = 256;

/** The reader of a type, with its length limit. */
export function createBoundedReader(type: ColumnType, format: ColumnFormat): ValueReader | undefined {
  const read = type.reader(format);
  const longest = type.maxCharacters ?? MAX_VALUE_CHARACTERS;
  return read && ((text) => (text.length > longest ? undefined : read(text)));
}
