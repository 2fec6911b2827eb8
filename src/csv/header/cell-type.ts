import { datetimeLayoutOf } from '../formats/datetime-layout.js';

/** Rough type of a value, for the detection of the dialect and the header. */
export type CellType = 'empty' | 'number' | 'time' | 'boolean' | 'text';

/** Counts as an empty value, even if the dialect has another quote character. */
export const EMPTY_QUOTES = "''";

/** Longer values are text, so the patterns run only on short values. */
const MAX_TYPED_CHARACTERS = 40;

const NUMBER =
  /^[-+(]?\s?[$€£¥]?\s?(\d+([.,]\d*)?|[.,]\d+|\d{1,3}([.,' \u00a0\u202f]\d{3})+([.,]\d+)?)(e[-+]?\d+)?\s?[%$€£¥]?\)?$/i;
const CLOCK = String.raw`\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?\s?([ap]\.?m\.?)?\s?(z|[-+]\d{2}(:?\d{2})?)?`;
const MONTH = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
const DAY = String.raw`(\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}[-/. ]${MONTH}[-/., ]+\d{2,4}|${MONTH}[-/. ]\d{1,2},? ?(\d{4})?)`;
const TIME = new RegExp(`^(${CLOCK}|${DAY}([t ,]+${CLOCK})?z?)$`, 'i');
const BOOLEAN = /^(true|false|yes|no|[tfyn])$/i;
const NOT_A_NUMBER = /^(nan|[-+]?inf(inity)?)$/i;

export function cellTypeOf(value: string): CellType {
  if (value.length > MAX_TYPED_CHARACTERS) return value.trim() === '' ? 'empty' : 'text';
  const text = value.trim();
  if (text === '' || text === EMPTY_QUOTES) return 'empty';
  const code = text.charCodeAt(0);
  // This shortcut saves time: most strings start with a letter, and few other values do.
  if ((code | 32) >= 97 && (code | 32) <= 122) {
    if (BOOLEAN.test(text)) return 'boolean';
    if (NOT_A_NUMBER.test(text)) return 'number';
    return isTime(text) ? 'time' : 'text';
  }
  if (NUMBER.test(text)) return 'number';
  return isTime(text) ? 'time' : 'text';
}

/** Includes names of months in other languages, as in `29 Dez 2017`. */
function isTime(text: string): boolean {
  return TIME.test(text) || (/[0-9]/.test(text) && datetimeLayoutOf(text) !== undefined);
}
