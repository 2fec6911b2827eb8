import type { ValueReader } from '../formats/column-format.js';
import type { ColumnType } from './column-type.js';

/** The text itself is the value: parsing is only a test, so that numbers within keep all their digits. */
const read: ValueReader = (text) => {
  if (!opens(text)) return undefined;
  try {
    JSON.parse(text);
    return text;
  } catch {
    return undefined;
  }
};

/** A number or a word alone is JSON as well, but then every column would be. */
function opens(text: string): boolean {
  return text.startsWith('{') || text.startsWith('[');
}

/** Objects and arrays (RFC 8259). */
export const jsonType: ColumnType = {
  type: 'JSON',
  propose(sample) {
    const opening = sample.values.reduce((count, value) => (opens(value) ? count + 1 : count), 0);
    return sample.isAtLeastHalf(opening) ? { format: { type: 'JSON' } } : undefined;
  },
  reader: () => read,
  describe: () => 'a JSON object or array',
  maxCharacters: Number.POSITIVE_INFINITY,
};
