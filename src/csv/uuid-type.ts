import type { ValueReader } from './column-shape.js';
import type { ColumnType } from './column-type.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const LENGTH = 36;

const read: ValueReader = (text) => (text.length === LENGTH && UUID.test(text) ? text.toLowerCase() : undefined);

export const uuidType: ColumnType = {
  type: 'UUID',
  propose(sample) {
    const fitting = sample.values.reduce((count, value) => (read(value) ? count + 1 : count), 0);
    return sample.isMost(fitting) ? { shape: { type: 'UUID' } } : undefined;
  },
  reader: () => read,
  describe: () => 'a UUID',
};
