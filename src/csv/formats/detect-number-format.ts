import type { Doubt } from './column-format.js';
import type { ColumnValues } from './column-values.js';
import {
  createNumberReader,
  NUMBER_FORMATS,
  type NumberFormat,
  parseBareNumber,
  UNIT_PATTERN,
  type Unit,
} from './number-format.js';

/** Undefined if too few values are numbers, or if the numbers are likely to be codes or footnote marks. */
export type DetectedNumberFormat =
  | {
      readonly style: NumberFormat;
      readonly unit: Unit | undefined;
      readonly isInParentheses: boolean;
      readonly doubts: readonly Doubt[];
      /** Whether the decimal separator is evident from the values. */
      readonly isDecisive: boolean;
    }
  | undefined;

/** For each decimal separator, the name of the first other column whose values prove this separator. */
export type SiblingSeparators = Readonly<Partial<Record<NumberFormat['decimalSeparator'], string>>>;

const INFINITE_OR_NONE = /^[-+]?(?:inf(?:inity)?|nan)$/i;
/** Matches all number formats: signs and units, then digits with separators, an optional exponent, and units. */
const LIKE_NUMBER = new RegExp(
  `^[-+(]?(?:${UNIT_PATTERN})?[-+(\\s]{0,3}[0-9.,][0-9.,'\u2019\\s]*(?:e[-+]?[0-9]{1,3})?\\s?(?:${UNIT_PATTERN})?\\)?$`,
  'i',
);
const PLAIN = /^-?(?:0|[1-9][0-9]*)$/;
const ZERO_IN_FRONT = /^0[0-9]+$/;
const DIGITS = /^[0-9]+$/;
const POINT_OR_COMMA = /[.,]/;
const SPACED_LIKE_TELEPHONE = /^[0-9]{1,3}(?:[ \u00a0\u2007\u2009\u202f][0-9]{3}){2,4}$/;
const MAX_NUMBER_CHARACTERS = 256;
const MAX_SPECIAL_CHARACTERS = 9;

/** Currencies whose users group thousands with commas. */
const ENGLISH_UNITS: readonly (Unit | undefined)[] = ['$', '£', '¥'];

const readers = NUMBER_FORMATS.map((style) => ({ style, read: createNumberReader(style) }));

export function detectNumberFormat(sample: ColumnValues, siblings: SiblingSeparators = {}): DetectedNumberFormat {
  const { values } = sample;
  const numbers = values.filter((value) => value.length <= MAX_NUMBER_CHARACTERS && LIKE_NUMBER.test(value));
  const special = values.filter(
    (value) => value.length <= MAX_SPECIAL_CHARACTERS && INFINITE_OR_NONE.test(value),
  ).length;
  if (!numbers.length || !sample.isAtLeastHalf(numbers.length + special) || areCodes(numbers)) return undefined;
  const { unit, texts, plain, inParentheses } = mostUsedUnit(numbers);
  const fits = countFitsByFormat(texts, sample);
  const most = Math.max(...fits);
  const fitting = NUMBER_FORMATS.filter((_, at) => fits[at] === most);
  const [usual] = fitting;
  if (!usual || !sample.isAtLeastHalf(most + plain + special)) return undefined;
  // If every row has a plain integer in parentheses, the integers are more likely footnote marks than negative numbers.
  if (inParentheses === values.length && !unit && !texts.length) return undefined;
  const example = texts.find((text) => POINT_OR_COMMA.test(text));
  const separators = new Set(fitting.map(({ decimalSeparator }) => decimalSeparator));
  const isAmbiguous = example !== undefined && separators.size > 1;
  const { style, doubt } = isAmbiguous
    ? decideSeparator(fitting, example, unit, siblings)
    : { style: usual, doubt: areTelephones(values) ? LIKE_TELEPHONE : undefined };
  return {
    style,
    unit,
    isInParentheses: inParentheses > 0,
    doubts: doubt ? [doubt] : [],
    isDecisive: example !== undefined && !isAmbiguous,
  };
}

const LIKE_TELEPHONE: Doubt = {
  level: 'undecided',
  reason: 'All values have the same length. They fit both telephone numbers and numbers with spaces between thousands.',
};

/** Returns whether all values resemble `555 123 456`. Grouped numbers would have different lengths. */
function areTelephones(values: readonly string[]): boolean {
  return values.every((value) => value.length === values[0]?.length && SPACED_LIKE_TELEPHONE.test(value));
}

/**
 * Returns whether the numbers are codes, such as postal codes, keys or months: all strings of digits have the same
 * length, and some of them have a leading zero.
 */
function areCodes(numbers: readonly string[]): boolean {
  if (!numbers.some((text) => ZERO_IN_FRONT.test(text))) return false;
  const digits = numbers.filter((text) => DIGITS.test(text));
  return digits.every((text) => text.length === digits[0]?.length);
}

/**
 * Decides whether the mark in values such as `1.234` or `1,234` separates decimals or thousands:
 * - If other columns prove a decimal separator, this separator applies with low confidence. If some prove a comma and
 *   others a point, the result is undecided.
 * - Without such columns, the mark in `1.234` separates decimals with low confidence. With the unit `€`, the result is
 *   undecided.
 * - Without such columns, the result for `1,234` is undecided. With the unit `$`, `£` or `¥`, the mark separates
 *   thousands with low confidence.
 */
function decideSeparator(
  fitting: readonly NumberFormat[],
  example: string,
  unit: Unit | undefined,
  siblings: SiblingSeparators,
): { style: NumberFormat; doubt: Doubt } {
  const [usual] = fitting as [NumberFormat];
  const ambiguous = `The separator in "${example}" may separate thousands or decimals, because the values fit both meanings equally`;
  const names = Object.values(siblings);
  if (names.length > 1)
    return {
      style: usual,
      doubt: {
        level: 'undecided',
        reason: `${ambiguous}. Some other columns have decimal commas, and some have decimal points.`,
      },
    };
  const style = fitting.find(({ decimalSeparator }) => siblings[decimalSeparator] !== undefined);
  if (style) {
    const mark = style.decimalSeparator === ',' ? 'decimal commas' : 'decimal points';
    return { style, doubt: { level: 'low', reason: `${ambiguous}. The column "${names[0]}" has ${mark}.` } };
  }
  const isGrouped = usual.groupSeparator === ',' || unit === '€';
  const level = isGrouped && !ENGLISH_UNITS.includes(unit) ? 'undecided' : 'low';
  return { style: usual, doubt: { level, reason: `${ambiguous}.` } };
}

interface UsedUnit {
  readonly unit: Unit | undefined;
  /** Number of integers such as 42 and -7, which are the same in every format. */
  plain: number;
  inParentheses: number;
  /** The numbers that `plain` does not count, without their unit and parentheses. */
  readonly texts: string[];
}

function mostUsedUnit(numbers: readonly string[]): UsedUnit {
  const none: UsedUnit = { unit: undefined, plain: 0, inParentheses: 0, texts: [] };
  const used = new Map<Unit | undefined, UsedUnit>([[undefined, none]]);
  for (const number of numbers) {
    if (PLAIN.test(number)) {
      none.plain++;
      continue;
    }
    const bare = parseBareNumber(number);
    if (!bare) continue;
    const entry = used.get(bare.unit) ?? { unit: bare.unit, plain: 0, inParentheses: 0, texts: [] };
    used.set(bare.unit, entry);
    if (bare.isInParentheses) entry.inParentheses++;
    if (PLAIN.test(bare.text)) entry.plain++;
    else entry.texts.push(bare.text);
  }
  const countOf = ({ plain, texts }: UsedUnit) => plain + texts.length;
  return [...used.values()].reduce((most, entry) => (countOf(entry) > countOf(most) ? entry : most));
}

/** All counts are zero if too many strings are not numbers. A string without groups fits any grouping. */
function countFitsByFormat(texts: readonly string[], sample: ColumnValues): number[] {
  const fits = readers.map(() => 0);
  let misses = 0;
  for (const text of texts) {
    let readsWithoutGroups = false;
    let isNumber = false;
    for (let at = 0; at < readers.length; at++) {
      const { style, read } = readers[at] as (typeof readers)[number];
      if (!style.groupSeparator) readsWithoutGroups = read(text) !== undefined;
      if (!readsWithoutGroups && (style.groupSeparator === '' || read(text) === undefined)) continue;
      fits[at] = (fits[at] ?? 0) + 1;
      isNumber = true;
    }
    if (!isNumber && sample.isMajority(++misses)) return readers.map(() => 0);
  }
  return fits;
}
