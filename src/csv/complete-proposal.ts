import type { ColumnSample } from './column-sample.js';
import type { Proposal, Shape } from './column-shape.js';
import { columnTypes } from './column-types.js';
import type { ProposedTypes } from './data-schema.js';

type Given = ProposedTypes[string];

/**
 * Makes a proposal from outside whole by what the rules find for its type. Undefined where it cannot be: there is no such type or format, or it
 * leaves open what the values leave open as well.
 */
export function completeProposal(given: Given, sample: ColumnSample): Proposal | undefined {
  if (!Object.hasOwn(columnTypes, given.type)) return undefined;
  const type = columnTypes[given.type];
  const own = type.propose(sample);
  const details = detailsOf(given);
  if (Object.keys(details).length === 0) {
    if (own) return own.doubt === 'undecided' ? undefined : own;
    return type.reader({ type: given.type }) && { shape: { type: given.type } };
  }
  const named = { ...details, type: given.type };
  const shape = [{ ...own?.shape, ...named }, named].find((candidate) => type.reader(candidate));
  return shape && { shape, ...(own?.doubt && { doubt: 'low' as const }) };
}

/** What it says of reading values, as far as it is of the right kind: whoever made it may have made up anything. */
function detailsOf({ format, decimalSeparator, groupSeparator, unit, negativeInParentheses, booleans }: Given) {
  const isPair = Array.isArray(booleans) && booleans.every((word) => typeof word === 'string');
  const details: Partial<Shape> = {
    ...(typeof format === 'string' && { format }),
    ...(typeof decimalSeparator === 'string' && { decimalSeparator }),
    ...(typeof groupSeparator === 'string' && { groupSeparator }),
    ...(typeof unit === 'string' && { unit }),
    ...(negativeInParentheses === true && { negativeInParentheses }),
    ...(isPair && { booleans: booleans.map((word) => word.toLowerCase()) as unknown as Shape['booleans'] }),
  };
  return details;
}
