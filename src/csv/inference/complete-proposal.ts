import type { ColumnFormat, TypeProposal } from '../formats/column-format.js';
import type { ProposedTypes } from '../model/data-schema.js';
import type { ColumnSample } from '../types/column-sample.js';
import { columnTypes } from '../types/column-types.js';

type Given = ProposedTypes[string];

/**
 * Makes a proposal from outside whole by what the rules find for its type. Undefined where it cannot be: there is no such type or format, or it
 * leaves open what the values leave open as well.
 */
export function completeProposal(given: Given, sample: ColumnSample): TypeProposal | undefined {
  if (!Object.hasOwn(columnTypes, given.type)) return undefined;
  const type = columnTypes[given.type];
  const own = type.propose(sample);
  const details = detailsOf(given);
  if (Object.keys(details).length === 0) {
    if (own) return own.doubt === 'undecided' ? undefined : own;
    return type.reader({ type: given.type }) && { format: { type: given.type } };
  }
  const named = { ...details, type: given.type };
  const shape = [{ ...own?.format, ...named }, named].find((candidate) => type.reader(candidate));
  return shape && { format: shape, ...(own?.doubt && { doubt: 'low' as const }) };
}

/** What it says of reading values, as far as it is of the right kind: whoever made it may have made up anything. */
function detailsOf({ format, decimalSeparator, groupSeparator, unit, negativeInParentheses, booleans }: Given) {
  const isPair = Array.isArray(booleans) && booleans.every((word) => typeof word === 'string');
  const details: Partial<ColumnFormat> = {
    ...(typeof format === 'string' && { format }),
    ...(typeof decimalSeparator === 'string' && { decimalSeparator }),
    ...(typeof groupSeparator === 'string' && { groupSeparator }),
    ...(typeof unit === 'string' && { unit }),
    ...(negativeInParentheses === true && { negativeInParentheses }),
    ...(isPair && { booleans: booleans.map((word) => word.toLowerCase()) as unknown as ColumnFormat['booleans'] }),
  };
  return details;
}
