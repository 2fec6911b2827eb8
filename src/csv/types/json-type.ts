import type { ValueReader } from '../formats/column-format.js';
import type { ColumnType } from './column-type.js';

/** Returns the text itself, so that numbers inside keep all their digits. `JSON.parse` only validates the text. */
const read: ValueReader = (text) => {
  if (!isObjectOrArray(text)) return undefined;
  try {
    JSON.parse(text);
    return text;
  } catch {
    return undefined;
  }
};

/** Numbers and strings are valid JSON, too, but if they counted, most columns would be JSON. */
function isObjectOrArray(text: string): boolean {
  return text.startsWith('{') || text.startsWith('[');
}

export const jsonType: ColumnType = {
  type: 'JSON',
  propose(sample) {
    const count = sample.values.reduce((sum, value) => (isObjectOrArray(value) ? sum + 1 : sum), 0);
    return sample.isAtLeastHalf(count) ? { format: { type: 'JSON' }, doubts: [] } : undefined;
  },
  reader: () => read,
  describe: () => 'a JSON object or array',
  maxCharacters: Number.POSITIVE_INFINITY,
};
