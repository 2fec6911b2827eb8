import { compileDatetimeFormat, type DatetimeFormat } from '../formats/datetime-format.js';
import type { DatetimeType } from '../formats/detect-datetime-format.js';
import type { ColumnType } from './column-type.js';

type Has = Pick<DatetimeFormat, 'hasDate' | 'hasTime' | 'hasOffset'>;

/** A type of values that a format in the letters of Unicode TR 35 describes. `noun` has its article. */
export function createDatetimeColumnType(type: DatetimeType, noun: string, has: Has): ColumnType {
  return {
    type,
    propose({ datetimeFormats: moments }) {
      const finding = moments.get(type);
      if (!finding) return undefined;
      const { format, isAmbiguous } = finding;
      return { format: { type, format }, ...(isAmbiguous && { doubt: 'undecided' as const }) };
    },
    reader({ format }) {
      const compiled = format === undefined ? undefined : compileDatetimeFormat(format);
      if (!compiled) return undefined;
      const isOfType =
        compiled.hasDate === has.hasDate && compiled.hasTime === has.hasTime && compiled.hasOffset === has.hasOffset;
      return isOfType ? compiled.read : undefined;
    },
    describe: ({ format }) => `${noun} (${format})`,
  };
}
