import type { ColumnFormat } from '../formats/column-format.js';
import type { ConfidenceLevel, FieldType } from '../model/data-schema.js';
import type { NameHints } from './name-hints.js';

/**
 * Rule of three: if n values fit, at most 3/n of all values do not fit, with 95 % confidence. For these two numbers,
 * 3/n is 1 % and 10 %.
 */
const HIGH_CONFIDENCE_VALUES = 300;
const MEDIUM_CONFIDENCE_VALUES = 30;

const NUMBERS: readonly FieldType[] = ['Integer', 'Decimal', 'Double'];
const NOT_TEXT: readonly FieldType[] = [...NUMBERS, 'Date', 'DateTime'];

export interface ConfidenceEvidence {
  readonly format: ColumnFormat;
  /** Number of non-null values. */
  readonly seen: number;
  /** Number of values that are null tokens. */
  readonly nullTokens: number;
  /** Whether another format fits as well, or values did not fit. */
  readonly isDoubtful: boolean;
  readonly hints: NameHints;
}

export function confidenceOf({ format, seen, nullTokens, isDoubtful, hints }: ConfidenceEvidence): ConfidenceLevel {
  if (isDoubtful || seen < MEDIUM_CONFIDENCE_VALUES || contradicts(format.type, hints)) return 'low';
  const isUnusual = format.unit !== undefined || format.negativeInParentheses || format.decimalSeparator === ',';
  return seen < HIGH_CONFIDENCE_VALUES || isUnusual || nullTokens > seen ? 'medium' : 'high';
}

function contradicts(type: FieldType, { isIdentifying, isTemporal }: NameHints): boolean {
  return (isIdentifying && NOT_TEXT.includes(type)) || (isTemporal && type === 'Integer');
}
