import { compileDatetimeFormat, type DatetimeFormat } from '../formats/datetime-format.js';
import type { DatetimeType } from '../formats/detect-datetime-format.js';
import type { ColumnType } from './column-type.js';

type Has = Pick<DatetimeFormat, 'hasDate' | 'hasTime' | 'hasOffset'>;

/** The values have a format of Unicode TR 35. `noun` includes its article. */
export function createDatetimeColumnType(type: DatetimeType, noun: string, has: Has): ColumnType {
  return {
    type,
    propose({ datetimeFormats }) {
      const detected = datetimeFormats.get(type);
      if (!detected) return undefined;
      const { format, language, doubts } = detected;
      return { format: { type, format, ...(language && { language }) }, doubts };
    },
    reader({ format, language }) {
      const compiled = format === undefined ? undefined : compileDatetimeFormat(format, language);
      if (!compiled) return undefined;
      const isOfType =
        compiled.hasDate === has.hasDate && compiled.hasTime === has.hasTime && compiled.hasOffset === has.hasOffset;
      return isOfType ? compiled.read : undefined;
    },
    describe: ({ format }) => `${noun} (${format})`,
  };
}
