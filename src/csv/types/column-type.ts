import type { ColumnFormat, TypeProposal, ValueReader } from '../formats/column-format.js';
import type { FieldType } from '../model/data-schema.js';
import type { ColumnSample } from './column-sample.js';

/** How one type of column is recognized and read. */
export interface ColumnType {
  readonly type: FieldType;
  /** How the values would be read if they were of this type; undefined where too few of them look like it. A few may be anything. */
  propose(sample: ColumnSample): TypeProposal | undefined;
  /** Undefined where a shape cannot be: somebody else may have made it up. */
  reader(shape: ColumnFormat): ValueReader | undefined;
  /** With its article, such as `a date (dd/MM/yyyy)`. */
  describe(shape: ColumnFormat): string;
  /** Adds what can be told only when all values are known to be of the type. */
  measure?(shape: ColumnFormat, values: Iterable<string>): ColumnFormat | undefined;
  /** Longest value that is tried, in characters; 256 where left out. */
  readonly maxCharacters?: number;
}

const MAX_VALUE_CHARACTERS = 256;

/** The reader of a type, kept from values so long that nothing of the type is spelled like that. */
export function createBoundedReader(type: ColumnType, shape: ColumnFormat): ValueReader | undefined {
  const read = type.reader(shape);
  const longest = type.maxCharacters ?? MAX_VALUE_CHARACTERS;
  return read && ((text) => (text.length > longest ? undefined : read(text)));
}
