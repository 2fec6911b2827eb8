import type { ColumnSample } from './column-sample.js';
import type { Proposal, Shape, ValueReader } from './column-shape.js';
import type { FieldType } from './data-schema.js';

/** How one type of column is recognized and read. */
export interface ColumnType {
  readonly type: FieldType;
  /** How the values would be read if they were of this type; undefined where too few of them look like it. A few may be anything. */
  propose(sample: ColumnSample): Proposal | undefined;
  /** Undefined where a shape cannot be: somebody else may have made it up. */
  reader(shape: Shape): ValueReader | undefined;
  /** With its article, such as `a date (dd/MM/yyyy)`. */
  describe(shape: Shape): string;
  /** Adds what can be told only when all values are known to be of the type. */
  measure?(shape: Shape, values: Iterable<string>): Shape | undefined;
  /** Longest value that is tried, in characters; 256 where left out. */
  readonly longestValue?: number;
}

const LONGEST_VALUE = 256;

/** The reader of a type, kept from values so long that nothing of the type is spelled like that. */
export function boundedReader(type: ColumnType, shape: Shape): ValueReader | undefined {
  const read = type.reader(shape);
  const longest = type.longestValue ?? LONGEST_VALUE;
  return read && ((text) => (text.length > longest ? undefined : read(text)));
}
