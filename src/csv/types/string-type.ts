import type { ColumnType } from './column-type.js';

/** Whatever nothing else is. It refuses nothing, and is proposed by nobody but from outside. */
export const stringType: ColumnType = {
  type: 'String',
  propose: () => undefined,
  reader: () => (text) => text,
  describe: () => 'a text',
  maxCharacters: Number.POSITIVE_INFINITY,
};
