/** Common strings for null, in lower case. `\n` is a backslash and a letter. */
const NULL_TOKENS: ReadonlySet<string> = new Set([
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
]);
const MAX_TOKEN_CHARACTERS = 4;
const DIGIT_FIRST = /^[0-9]/;
const INFINITE = /^[-+]?inf(?:inity)?$/i;
const MAX_INFINITY_CHARACTERS = 9;

export interface NullTokenSplit {
  /** Values that are not null tokens. */
  readonly values: readonly string[];
  /** Number of null tokens. */
  readonly nulls: number;
  /** Distinct null tokens that occur, in lower case and in a fixed order. */
  readonly tokens: readonly string[];
}

/** Separates null tokens from the other values. If the column contains infinities, `nan` is a number. */
export function splitNullTokens(values: readonly string[]): NullTokenSplit {
  const met = new Map<string, number>();
  const others: string[] = [];
  const nanIsNumber = values.some((value) => value.length <= MAX_INFINITY_CHARACTERS && INFINITE.test(value));
  for (const value of values) {
    const token = value.length <= MAX_TOKEN_CHARACTERS && !DIGIT_FIRST.test(value) ? value.toLowerCase() : '';
    if (NULL_TOKENS.has(token) && !(nanIsNumber && token === 'nan')) met.set(token, (met.get(token) ?? 0) + 1);
    else others.push(value);
  }
  const tokens = [...NULL_TOKENS].filter((token) => met.has(token));
  return { values: others, nulls: values.length - others.length, tokens };
}
