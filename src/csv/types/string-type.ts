import type { ColumnType } from './column-type.js';

/** Fallback for all other columns. Accepts every value; never detected, but may be proposed by the caller. */
export const stringType: ColumnType = {
  type: 'String',
  propose: () => undefined,
  reader: () => (text) => text,
  describe: () => 'a text',
  maxCharacters: Number.POSITIVE_INFINITY,
};
