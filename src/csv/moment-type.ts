import type { ColumnType } from './column-type.js';
import { compileFormat, type MomentFormat } from './moment-format.js';
import type { MomentType } from './moment-survey.js';

type Has = Pick<MomentFormat, 'hasDate' | 'hasTime' | 'hasOffset'>;

/** A type of values that a format in the letters of Unicode TR 35 describes. `noun` has its article. */
export function momentType(type: MomentType, noun: string, has: Has): ColumnType {
  return {
    type,
    propose({ moments }) {
      const finding = moments.get(type);
      if (!finding) return undefined;
      const { format, isAmbiguous } = finding;
      return { shape: { type, format }, ...(isAmbiguous && { doubt: 'undecided' as const }) };
    },
    reader({ format }) {
      const compiled = format === undefined ? undefined : compileFormat(format);
      if (!compiled) return undefined;
      const isOfType =
        compiled.hasDate === has.hasDate && compiled.hasTime === has.hasTime && compiled.hasOffset === has.hasOffset;
      return isOfType ? compiled.read : undefined;
    },
    describe: ({ format }) => `${noun} (${format})`,
  };
}
