import { type CellType, cellTypeOf } from '../header/cell-type.js';

const MAX_INSPECTED_CHARACTERS = 200;

const TYPE_SCORES: Record<Exclude<CellType, 'text'>, number> = { empty: 0.6, number: 1, time: 1, boolean: 1 };
const PLAIN_TEXT_SCORE = 0.9;
const UNUSUAL_TEXT_SCORE = 0.7;
const SPLIT_VALUE_SCORE = 0.3;
const MIXED_QUOTES_SCORE = 0.2;

const PLAIN_TEXT = /^[\p{L}\p{M}\p{N} _.'’()@/&:\u00a0-]*$/u;
const QUOTE_AT_EDGE = /^["']|["']$/;
const SEPARATED = /[;|\t]/;
const BRACKETS = ['()', '[]', '{}'];

/**
 * Returns a score from 0 to 1. A low score means that the value is probably only a part of a cell, such as `[a` or
 * `"b`. Delimiters and unpaired brackets do not lower the score in a row with quoted values.
 */
export function scoreCellType(value: string, isQuotedRow: boolean): number {
  const kind = cellTypeOf(value);
  if (kind !== 'text') return TYPE_SCORES[kind];
  const text = value.slice(0, MAX_INSPECTED_CHARACTERS).trim();
  if (PLAIN_TEXT.test(text) && !QUOTE_AT_EDGE.test(text)) return PLAIN_TEXT_SCORE;
  if (QUOTE_AT_EDGE.test(text) || text.split('"').length % 2 === 0)
    return isQuotedRow ? SPLIT_VALUE_SCORE : MIXED_QUOTES_SCORE;
  if (isQuotedRow) return UNUSUAL_TEXT_SCORE;
  return SEPARATED.test(text) || BRACKETS.some((pair) => hasUnmatchedBracket(text, pair))
    ? SPLIT_VALUE_SCORE
    : UNUSUAL_TEXT_SCORE;
}

function hasUnmatchedBracket(text: string, [open = '', close = '']: string): boolean {
  return (text.startsWith(open) && !text.includes(close)) || (text.endsWith(close) && !text.includes(open));
}
