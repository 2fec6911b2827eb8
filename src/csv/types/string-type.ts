import type { ColumnType } from './column-type.js';

/** Fallback for columns that fit no other type. Accepts every value. The caller may also propose this type. */
export const stringType: ColumnType = {
  type: 'String',
  propose: () => undefined,
  reader: () => (text) => text,
  describe: () => 'a text',
  maxCharacters: Number.POSITIVE_INFINITY,
};
