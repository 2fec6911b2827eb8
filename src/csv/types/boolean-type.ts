import type { ColumnType } from './column-type.js';

type Pair = readonly [yes: string, no: string];

const PAIRS: readonly Pair[] = [
  ['true', 'false'],
  ['t', 'f'],
  ['yes', 'no'],
  ['y', 'n'],
];
const WORDS = new Set(PAIRS.flat());
const MAX_WORD_CHARACTERS = 5;

/** Minimum number of values if only one word of a pair occurs. */
const MIN_SINGLE_WORD_VALUES = 20;

/** A column uses one pair of words. 0 and 1 are integers. */
export const booleanType: ColumnType = {
  type: 'Boolean',
  propose(sample) {
    const counts = new Map<string, number>();
    for (const value of sample.values) {
      if (value.length > MAX_WORD_CHARACTERS || value <= '9') continue;
      const word = value.toLowerCase();
      if (WORDS.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    const countOf = (word: string) => counts.get(word) ?? 0;
    for (const pair of PAIRS) {
      const [yes, no] = [countOf(pair[0]), countOf(pair[1])];
      if (!sample.isAtLeastHalf(yes + no)) continue;
      const format = { type: 'Boolean', booleans: pair } as const;
      if (yes && no) return { format };
      if (yes + no >= MIN_SINGLE_WORD_VALUES) return { format, doubt: 'low' };
    }
    return undefined;
  },
  reader({ booleans = ['true', 'false'] }) {
    const [yes, no] = booleans;
    if (!yes || !no || yes === no || booleans.length !== 2) return undefined;
    return (text) => {
      const word = text.toLowerCase();
      if (word === yes) return 'true';
      return word === no ? 'false' : undefined;
    };
  },
  describe: ({ booleans = ['true', 'false'] }) => `a boolean (${booleans.join('/')})`,
};
