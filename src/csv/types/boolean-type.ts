import type { Doubt } from '../formats/column-format.js';
import type { ColumnType } from './column-type.js';

type Pair = readonly [yes: string, no: string];

/**
 * Words for true and false in English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Swedish, Danish and
 * Norwegian.
 */
const PAIRS = (
  'true/false t/f yes/no y/n wahr/falsch ja/nein j/n vrai/faux oui/non verdadero/falso sí/no si/no vero/falso sì/no ' +
  'verdadeiro/falso sim/não sim/nao waar/onwaar ja/nee prawda/fałsz tak/nie sant/falskt ja/nej sand/falsk ja/nei'
)
  .split(' ')
  .map((pair) => pair.split('/') as unknown as Pair);
const WORDS = new Set(PAIRS.flat());
const MAX_WORD_CHARACTERS = Math.max(...[...WORDS].map(({ length }) => length));

/** If only one word of a pair occurs, it must occur at least this often. */
const MIN_SINGLE_WORD_VALUES = 20;

/**
 * One of these words alone is sufficient evidence of a boolean. Other words may be codes: `NO` is Norway, `F` is
 * female, and `SI` is Slovenia.
 */
const CLEAR_WORDS = new Set(['true', 'false', 'yes']);

/** The word for true in the pair that also accepts 1 and 0 (XML Schema). */
const WITH_DIGITS = 'true';

/** A column uses one pair of words. A column that contains only 0 and 1 has the type Integer. */
export const booleanType: ColumnType = {
  type: 'Boolean',
  propose(sample) {
    const counts = new Map<string, number>();
    let digits = 0;
    for (const value of sample.values) {
      if (value === '0' || value === '1') digits++;
      if (value.length > MAX_WORD_CHARACTERS || value <= '9') continue;
      const word = value.toLowerCase();
      if (WORDS.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    const countOf = (word: string) => counts.get(word) ?? 0;
    const plausible = PAIRS.filter(([yes, no]) => sample.isAtLeastHalf(countOf(yes) + countOf(no)));
    const pair = plausible.find((words) => words.every(countOf)) ?? plausible[0];
    if (!pair) return undefined;
    const format = { type: 'Boolean', booleans: pair } as const;
    const [missing] = pair.filter((word) => !countOf(word));
    const doubts = digits > 0 && pair[0] === WITH_DIGITS ? [doubtAboutDigits(digits)] : [];
    if (missing === undefined) return { format, doubts };
    const word = pair[0] === missing ? pair[1] : pair[0];
    if (countOf(word) < MIN_SINGLE_WORD_VALUES) return undefined;
    return { format, doubts: [...doubts, doubtAboutSingle(word, missing)] };
  },
  reader({ booleans = ['true', 'false'] }) {
    const [yes, no] = booleans;
    if (!yes || !no || yes === no || booleans.length !== 2) return undefined;
    const hasDigits = yes === WITH_DIGITS;
    return (text) => {
      const word = text.toLowerCase();
      if (word === yes || (hasDigits && text === '1')) return 'true';
      return word === no || (hasDigits && text === '0') ? 'false' : undefined;
    };
  },
  describe: ({ booleans = ['true', 'false'] }) => `a boolean (${booleans.join('/')})`,
};

function doubtAboutDigits(digits: number): Doubt {
  return { level: 'low', reason: `"1" is read as true and "0" as false (number of such values: ${digits}).` };
}

function doubtAboutSingle(word: string, missing: string): Doubt {
  return {
    level: CLEAR_WORDS.has(word) ? 'low' : 'undecided',
    reason: `All values fit a boolean (${word}), but "${missing}" never occurs. "${word}" may be a code.`,
  };
}
