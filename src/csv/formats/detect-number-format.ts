import type { TypeProposal } from './column-format.js';
import type { ColumnValues } from './column-values.js';
import { createNumberReader, NUMBER_FORMATS, type NumberFormat, parseBareNumber, type Unit } from './number-format.js';

/** How the numbers of a column are written; undefined where too few values are numbers. */
export type DetectedNumberFormat =
  | {
      readonly style: NumberFormat;
      readonly unit: Unit | undefined;
      readonly isInParentheses: boolean;
      readonly doubt?: TypeProposal['doubt'];
    }
  | undefined;

const INFINITE_OR_NONE = /^[-+]?(?:inf(?:inity)?|nan)$/i;
/** All that a reader takes, and more: signs and units, digits with separators, an exponent, units. */
const LIKE_NUMBER = /^[-+($€£¥\s]{0,4}[0-9.,][0-9.,'\u2019\s]*(?:e[-+]?[0-9]{1,3})?[%$€£¥)\s]{0,3}$/i;
const PLAIN = /^-?(?:0|[1-9][0-9]*)$/;
const ZERO_IN_FRONT = /^0[0-9]+$/;
const DIGITS = /^[0-9]+$/;
const POINT_OR_COMMA = /[.,]/;
const SPACED_LIKE_TELEPHONE = /^[0-9]{1,3}(?:[ \u00a0\u2007\u2009\u202f][0-9]{3}){2}$/;
const MAX_NUMBER_CHARACTERS = 256;
const MAX_SPECIAL_CHARACTERS = 9;

/** Whoever writes these groups thousands by commas. */
const ENGLISH_UNITS: readonly (Unit | undefined)[] = ['$', '£', '¥'];

const readers = NUMBER_FORMATS.map((style) => ({ style, read: createNumberReader(style) }));

export function detectNumberFormat(sample: ColumnValues): DetectedNumberFormat {
  const { values } = sample;
  const numbers = values.filter((value) => value.length <= MAX_NUMBER_CHARACTERS && LIKE_NUMBER.test(value));
  const special = values.filter(
    (value) => value.length <= MAX_SPECIAL_CHARACTERS && INFINITE_OR_NONE.test(value),
  ).length;
  if (!numbers.length || !sample.isAtLeastHalf(numbers.length + special) || areCodes(numbers)) return undefined;
  const { unit, texts, plain, inParentheses } = mostUsedUnit(numbers);
  const fits = countFitsByFormat(texts, sample);
  const most = Math.max(...fits);
  const style = NUMBER_FORMATS[fits.indexOf(most)];
  if (!style || !sample.isAtLeastHalf(most + plain + special)) return undefined;
  // Whole numbers in parentheses and nothing else are rather marks of footnotes.
  if (inParentheses === values.length && !unit && !texts.length) return undefined;
  const isAmbiguous =
    NUMBER_FORMATS.some((other, at) => fits[at] === most && other.decimalSeparator !== style.decimalSeparator) &&
    texts.some((text) => POINT_OR_COMMA.test(text));
  const doubt = isAmbiguous ? doubtOf(style, unit) : areTelephones(values) ? ('undecided' as const) : undefined;
  return { style, unit, isInParentheses: inParentheses > 0, ...(doubt && { doubt }) };
}

/** `555 123 456` at every row, where numbers would be of several sizes. */
function areTelephones(values: readonly string[]): boolean {
  return values.every((value) => value.length === values[0]?.length && SPACED_LIKE_TELEPHONE.test(value));
}

/** Digits of one width, some with a zero in front: postal codes, keys, months. No value among them is a mistake. */
function areCodes(numbers: readonly string[]): boolean {
  if (!numbers.some((text) => ZERO_IN_FRONT.test(text))) return false;
  const digits = numbers.filter((text) => DIGITS.test(text));
  return digits.every((text) => text.length === digits[0]?.length);
}

/**
 * `1.234` and `1,234` may be a thousand or a little more than one. A point is taken for one, with little confidence; what a comma is nobody can
 * tell, unless the currency does.
 */
function doubtOf(style: NumberFormat, unit: Unit | undefined): TypeProposal['doubt'] {
  if (unit === '€') return 'undecided';
  if (ENGLISH_UNITS.includes(unit)) return 'low';
  return style.groupSeparator === ',' ? 'undecided' : 'low';
}

interface UsedUnit {
  readonly unit: Unit | undefined;
  /** Numbers that only digits and a sign make up: they read the same in every style. */
  plain: number;
  inParentheses: number;
  /** The others, without unit and parentheses. */
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

/** How many of the texts each style reads; none where too many are no numbers. What is read without groups is read with any. */
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
