import type { ColumnFormat, Doubt } from '../formats/column-format.js';
import type { ColumnMetadata, ConfidenceLevel } from '../model/data-schema.js';

/**
 * Minimum numbers of values for high and medium confidence, by the rule of three: if n values fit, at most 3/n of all
 * values do not fit, with 95 % confidence. For 300 and 30 values, 3/n is 1 % and 10 %.
 */
const HIGH_CONFIDENCE_VALUES = 300;
const MEDIUM_CONFIDENCE_VALUES = 30;

const LEVELS: Readonly<Record<Doubt['level'], ConfidenceLevel>> = { medium: 'medium', low: 'low', undecided: 'low' };

export function judgeDoubts(doubts: readonly Doubt[]): Pick<ColumnMetadata, 'confidence' | 'doubts'> {
  const levels = doubts.map(({ level }) => LEVELS[level]);
  const confidence = levels.includes('low') ? 'low' : levels.includes('medium') ? 'medium' : 'high';
  return { confidence, doubts: doubts.map(({ reason }) => reason) };
}

/** `seen` is the number of values, without null tokens. */
export function sampleDoubts(seen: number, nullTokens = 0): Doubt[] {
  const doubts: Doubt[] = [];
  const sample = nullTokens > 0 ? 'Apart from null tokens, the sample' : 'The sample';
  if (seen === 0) doubts.push({ level: 'low', reason: `${sample} has no values.` });
  else if (seen < HIGH_CONFIDENCE_VALUES) {
    const level = seen < MEDIUM_CONFIDENCE_VALUES ? 'low' : 'medium';
    const wanted = `Medium confidence requires ${MEDIUM_CONFIDENCE_VALUES} values, and high confidence requires ${HIGH_CONFIDENCE_VALUES} values`;
    doubts.push({ level, reason: `${sample} has ${seen} ${seen === 1 ? 'value' : 'values'}. ${wanted}.` });
  }
  if (nullTokens > seen)
    doubts.push({ level: 'medium', reason: `Most values are null tokens (${nullTokens} of ${nullTokens + seen}).` });
  return doubts;
}

/** Returns doubts that apply even if all values fit. */
export function formatDoubts({ unit, negativeInParentheses, decimalSeparator }: ColumnFormat): Doubt[] {
  const reasons: string[] = [];
  if (unit === '%') reasons.push('The values are percentages: 12 % is 12, not 0.12.');
  else if (unit !== undefined) reasons.push(`The unit ${unit} is not part of the values.`);
  if (negativeInParentheses) reasons.push('Numbers in parentheses are read as negative numbers.');
  if (decimalSeparator === ',') reasons.push('The comma is read as the decimal separator.');
  return reasons.map((reason) => ({ level: 'medium', reason }));
}
