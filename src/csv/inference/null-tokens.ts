import { EMPTY_QUOTES } from '../header/cell-type.js';

/** In lower case. `\n` means a backslash and the letter n, not a line end. */
const NULL_TOKENS: readonly string[] = [
  'null',
  'na',
  'n/a',
  'n.a.',
  '#n/a',
  '<na>',
  'nan',
  'none',
  'nil',
  '-',
  '--',
  '?',
  '.',
  '..',
  '\\n',
  '---',
  '...',
  '–',
  '—',
  '(null)',
  '<null>',
  'k.a.',
  'k. a.',
  'n.d.',
  'n/d',
  's/d',
  '#nv',
  EMPTY_QUOTES,
];
const ORDER: ReadonlyMap<string, number> = new Map(NULL_TOKENS.map((token, at) => [token, at]));
/** Matches the error values of spreadsheets in any language, such as `#DIV/0!`, `#WERT!` and `#NAME?`. */
const SPREADSHEET_ERROR = /^#[\p{L}0-9/¡]{2,12}[!?]$/u;
const MAX_TOKEN_CHARACTERS = 16;
const DIGIT_FIRST = /^[0-9]/;
const INFINITE = /^[-+]?inf(?:inity)?$/i;
const MAX_INFINITY_CHARACTERS = 9;

/**
 * Matches abbreviations such as `NR`, `k.A.` and `N/V`, and fillers such as `***`. Words such as `free` are not null
 * tokens.
 */
const ABBREVIATION = /^(?:\p{Lu}{2,4}|(?:\p{L}\. ?){2,4}|\p{Lu}\/\p{Lu}|[*x]{2,4})$/u;
const MIN_REPETITIONS = 3;

export interface NullTokenSplit {
  readonly values: readonly string[];
  /** Distinct null tokens that occur, in lower case and in a fixed order. */
  readonly tokens: readonly string[];
}

/** In a column with infinities, `nan` is a number and not a null token. */
export function splitNullTokens(values: readonly string[]): NullTokenSplit {
  const met = new Set<string>();
  const others: string[] = [];
  const nanIsNumber = values.some((value) => value.length <= MAX_INFINITY_CHARACTERS && INFINITE.test(value));
  for (const value of values) {
    const token = value.length <= MAX_TOKEN_CHARACTERS && !DIGIT_FIRST.test(value) ? value.toLowerCase() : '';
    const isNull = ORDER.has(token) || (token.startsWith('#') && SPREADSHEET_ERROR.test(token));
    if (isNull && !(nanIsNumber && token === 'nan')) met.add(token);
    else others.push(value);
  }
  return { values: others, tokens: inFixedOrder([...met]) };
}

function inFixedOrder(tokens: readonly string[]): string[] {
  const placeOf = (token: string) => ORDER.get(token) ?? ORDER.size;
  return [...tokens].sort((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1));
}

/**
 * `misfits` are the values that do not fit a type. If all of them are the same repeated string, and this string
 * resembles a null token, returns the string.
 */
export function findRepeatedToken(misfits: readonly string[]): string | undefined {
  const [first = ''] = misfits;
  const token = first.toLowerCase();
  const isToken = misfits.length >= MIN_REPETITIONS && ABBREVIATION.test(first);
  return isToken && misfits.every((value) => value.toLowerCase() === token) ? first : undefined;
}
