import { type CellKind, kindOfCell } from './cell-kind.js';

/** Characters of a text that are looked at. */
const LOOKED_AT = 200;

const FITNESS: Record<Exclude<CellKind, 'text'>, number> = { empty: 0.6, number: 1, time: 1, boolean: 1 };
const PLAIN = 0.9;
const ODD = 0.7;
const HALF_CUT = 0.3;
const MIXED_QUOTES = 0.2;

/** Letters, digits, and what stands between the words of a sentence or in an address. */
const PLAIN_TEXT = /^[\p{L}\p{M}\p{N} _.'’()@/&:\u00a0-]*$/u;
const QUOTE_AT_EDGE = /^["']|["']$/;
/** What separates values elsewhere. */
const SEPARATED = /[;|\t]/;
const BRACKETS = ['()', '[]', '{}'];

/** From 0 to 1: how much a value looks like one that is cut where it should be. Between quotes any character may stand. */
export function fitnessOf(value: string, isQuotedRow: boolean): number {
  const kind = kindOfCell(value);
  if (kind !== 'text') return FITNESS[kind];
  const text = value.slice(0, LOOKED_AT).trim();
  if (PLAIN_TEXT.test(text) && !QUOTE_AT_EDGE.test(text)) return PLAIN;
  if (QUOTE_AT_EDGE.test(text) || text.split('"').length % 2 === 0) return isQuotedRow ? HALF_CUT : MIXED_QUOTES;
  if (isQuotedRow) return ODD;
  return SEPARATED.test(text) || BRACKETS.some((pair) => isHalf(text, pair)) ? HALF_CUT : ODD;
}

/** Whether the text begins or ends with a bracket whose other half is elsewhere. */
function isHalf(text: string, [open = '', close = '']: string): boolean {
  return (text.startsWith(open) && !text.includes(close)) || (text.endsWith(close) && !text.includes(open));
}
