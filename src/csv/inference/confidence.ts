import type { ColumnFormat } from '../formats/column-format.js';
import type { ConfidenceLevel, FieldType } from '../model/data-schema.js';
import type { NameHints } from './name-hints.js';

/** None of n values refused: at most 3/n of all are, with a probability of 95 % (the rule of three). That is 1 % and 10 %. */
const HIGH_CONFIDENCE_VALUES = 300;
const MEDIUM_CONFIDENCE_VALUES = 30;

const NUMBERS: readonly FieldType[] = ['Integer', 'Decimal', 'Double'];
const NOT_TEXT: readonly FieldType[] = [...NUMBERS, 'Date', 'DateTime'];

export interface ConfidenceEvidence {
  readonly format: ColumnFormat;
  /** Values that are not null. */
  readonly seen: number;
  /** Texts that were taken for null. */
  readonly nullTokens: number;
  /** Another reading fits as well, or values were refused. */
  readonly isDoubtful: boolean;
  readonly hints: NameHints;
}

export function confidenceOf({
  format: shape,
  seen,
  nullTokens,
  isDoubtful,
  hints,
}: ConfidenceEvidence): ConfidenceLevel {
  if (isDoubtful || seen < MEDIUM_CONFIDENCE_VALUES || contradicts(shape.type, hints)) return 'low';
  const isUnusual = shape.unit !== undefined || shape.negativeInParentheses || shape.decimalSeparator === ',';
  return seen < HIGH_CONFIDENCE_VALUES || isUnusual || nullTokens > seen ? 'medium' : 'high';
}

function contradicts(type: FieldType, { isIdentifying, isTemporal }: NameHints): boolean {
  return (isIdentifying && NOT_TEXT.includes(type)) || (isTemporal && type === 'Integer');
}
