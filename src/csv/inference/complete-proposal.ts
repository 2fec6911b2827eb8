import { type ColumnFormat, isUndecided, type TypeProposal } from '../formats/column-format.js';
import type { ProposedTypes } from '../model/data-schema.js';
import type { ColumnSample } from '../types/column-sample.js';
import { columnTypes } from '../types/column-types.js';

type Given = ProposedTypes[string];

/**
 * The caller proposes a type, and this function adds the format properties that fit the values, such as
 * `decimalSeparator`. Returns undefined if the type or format is invalid. Also returns undefined if the proposal and
 * the values do not determine the format.
 */
export function completeProposal(given: Given, sample: ColumnSample): TypeProposal | undefined {
  if (!Object.hasOwn(columnTypes, given.type)) return undefined;
  const type = columnTypes[given.type];
  const detected = type.propose(sample);
  const details = detailsOf(given);
  if (Object.keys(details).length === 0) {
    if (detected) return isUndecided(detected) ? undefined : detected;
    return type.reader({ type: given.type }) && { format: { type: given.type }, doubts: [] };
  }
  const proposed = { ...details, type: given.type };
  const format = [{ ...detected?.format, ...proposed }, proposed].find((candidate) => type.reader(candidate));
  return format && { format, doubts: detected?.doubts.map(({ reason }) => ({ level: 'low' as const, reason })) ?? [] };
}

/** Returns only properties with values of the right JavaScript type, because a proposal may contain any values. */
function detailsOf({
  format,
  language,
  decimalSeparator,
  groupSeparator,
  unit,
  negativeInParentheses,
  booleans,
}: Given): Partial<ColumnFormat> {
  const isPair = Array.isArray(booleans) && booleans.every((word) => typeof word === 'string');
  return {
    ...(typeof format === 'string' && { format }),
    ...(typeof language === 'string' && { language }),
    ...(typeof decimalSeparator === 'string' && { decimalSeparator }),
    ...(typeof groupSeparator === 'string' && { groupSeparator }),
    ...(typeof unit === 'string' && { unit }),
    ...(negativeInParentheses === true && { negativeInParentheses }),
    ...(isPair && { booleans: booleans.map((word) => word.toLowerCase()) as unknown as ColumnFormat['booleans'] }),
  };
}
