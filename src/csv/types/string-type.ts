import type { ColumnType } from './column-type.js';

/** Fallback for all other columns. Accepts every value. Never detected, but the caller may propose this type. */
export const stringType: ColumnType = {
  type: 'String',
  propose: () => undefined,
  reader: () => (text) => text,
  describe: () => 'a text',
  maxCharacters: Number.POSITIVE_INFINITY,
};
