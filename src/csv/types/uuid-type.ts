import type { ValueReader } from '../formats/column-format.js';
import type { ColumnType } from './column-type.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const UUID_CHARACTERS = 36;

const read: ValueReader = (text) =>
  text.length === UUID_CHARACTERS && UUID.test(text) ? text.toLowerCase() : undefined;

export const uuidType: ColumnType = {
  type: 'UUID',
  propose(sample) {
    const fitting = sample.values.reduce((count, value) => (read(value) ? count + 1 : count), 0);
    return sample.isAtLeastHalf(fitting) ? { format: { type: 'UUID' }, doubts: [] } : undefined;
  },
  reader: () => read,
  describe: () => 'a UUID',
};
