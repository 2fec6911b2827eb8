import iconv from 'iconv-lite';
import { type Alphabet, LATIN_ENCODINGS } from './latin-alphabets.js';

export interface LatinChoice {
  readonly encoding: string;
  /** Probability that this encoding is right, from 0.5 to 1. */
  readonly confidence: number;
}

/** Costs per character. The encoding with the lowest total cost is the most plausible. */
const FOREIGN_LETTER = 4;
const WRONG_CASE = 3;
const SYMBOL = 0.5;
const MISPLACED_SYMBOL = 4;
const NOT_A_CHARACTER = 8;

/** Maximum `count` of a `ByteContext`, because the repetitions of a word add no evidence. */
const MAX_OCCURRENCES = 4;

/** If the mean cost per character is higher, the language of the text has no known alphabet. */
const MAX_MEAN_COST = 3;

/** In Latin script, most non-ASCII letters are next to an ASCII letter. In other scripts, few are. */
const MIN_SHARE_BESIDE_ASCII = 0.6;

/** Usual symbols by their place relative to letters. */
const SYMBOLS = {
  between: '\u00a0\u00ad·’–—',
  after: '\u00a0·’“”«»‹›–—…™®°ªº',
  before: '\u00a0·‘‚“”„«»‹›–—µ§¿¡',
  alone: '\u00a0·‘’‚“”„«»‹›–—…™®©°µ²³€§‰ªº£¥¢±¼½¾×÷¹¶•†‡−≤≥≠¬',
};

/**
 * A non-ASCII byte with the bytes before and after it. `count` is the number of occurrences of these three bytes, up to
 * `MAX_OCCURRENCES`.
 */
interface ByteContext {
  readonly before: number;
  readonly byte: number;
  readonly after: number;
  readonly count: number;
}

const tables = new Map<string, string>();

/**
 * Chooses the encoding in which the text most resembles a language in Latin script. Returns undefined for other
 * scripts, and for a text in no language with a known alphabet.
 */
export function chooseLatinEncoding(sample: Uint8Array): LatinChoice | undefined {
  const contexts = contextsOf(sample);
  if (!isLatin(contexts)) return undefined;
  const readings = new Map<string, { encoding: string; cost: number }>();
  for (const { encodings, alphabets } of LATIN_ENCODINGS) {
    for (const [encoding, ownCost] of Object.entries(encodings)) {
      const table = tableOf(encoding);
      const reading = contexts.map(({ byte }) => table[byte]).join('');
      const cost = ownCost + costOf(contexts, table, alphabets);
      if (cost < (readings.get(reading)?.cost ?? Infinity)) readings.set(reading, { encoding, cost });
    }
  }
  const [best, second] = [...readings.values()].sort((a, b) => a.cost - b.cost);
  const characters = contexts.reduce((sum, { count }) => sum + count, 0);
  if (!best || best.cost > characters * MAX_MEAN_COST + FOREIGN_LETTER) return undefined;
  const margin = (second?.cost ?? Infinity) - best.cost;
  return { encoding: best.encoding, confidence: 1 / (1 + Math.exp(-margin)) };
}

function contextsOf(sample: Uint8Array): ByteContext[] {
  const counts = new Map<number, number>();
  for (let at = 0; at < sample.length; at++) {
    if ((sample[at] ?? 0) < 0x80) continue;
    const key = ((sample[at - 1] ?? 0) << 16) | ((sample[at] ?? 0) << 8) | (sample[at + 1] ?? 0);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => ({
    before: key >> 16,
    byte: (key >> 8) & 0xff,
    after: key & 0xff,
    count: Math.min(count, MAX_OCCURRENCES),
  }));
}

/** Ignores non-ASCII bytes between spaces or digits, because they are mostly symbols, which belong to no script. */
function isLatin(contexts: readonly ByteContext[]): boolean {
  let all = 0;
  let beside = 0;
  for (const { before, after, count } of contexts) {
    const isBeside = isAsciiLetter(before) || isAsciiLetter(after);
    if (isBeside) beside += count;
    if (isBeside || before >= 0x80 || after >= 0x80) all += count;
  }
  return beside > 0 && beside >= all * MIN_SHARE_BESIDE_ASCII;
}

function isAsciiLetter(byte: number): boolean {
  const lower = byte | 32;
  return byte < 0x80 && lower >= 97 && lower <= 122;
}

function tableOf(encoding: string): string {
  const known = tables.get(encoding);
  if (known !== undefined) return known;
  const table = iconv.decode(Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)), encoding);
  tables.set(encoding, table);
  return table;
}

function costOf(contexts: readonly ByteContext[], table: string, alphabets: readonly Alphabet[]): number {
  let shared = 0;
  const costs = alphabets.map(() => 0);
  for (const { before, byte, after, count } of contexts) {
    const character = table.charAt(byte);
    const [previous, next] = [table.charAt(before), table.charAt(after)];
    if (!isLetter(character)) {
      shared += count * symbolCost(character, previous, next);
      continue;
    }
    shared += count * caseCost(character, previous, next);
    for (const [at, alphabet] of alphabets.entries())
      costs[at] = (costs[at] ?? 0) + count * (alphabet.get(character) ?? FOREIGN_LETTER);
  }
  return shared + Math.min(...costs);
}

function isLetter(character: string): boolean {
  return /(?![µªº])\p{L}/u.test(character);
}

function symbolCost(character: string, previous: string, next: string): number {
  if (/[\u0080-\u009f\ufffd]/.test(character)) return NOT_A_CHARACTER;
  const [isAfter, isBefore] = [isLetter(previous), isLetter(next)];
  const place = isAfter ? (isBefore ? 'between' : 'after') : isBefore ? 'before' : 'alone';
  return SYMBOLS[place].includes(character) ? SYMBOL : MISPLACED_SYMBOL;
}

/** A capital after a small letter, or a small letter between capitals, is unusual. */
function caseCost(character: string, previous: string, next: string): number {
  if (/\p{Lu}/u.test(character)) return /\p{Ll}/u.test(previous) ? WRONG_CASE : 0;
  return /\p{Lu}/u.test(previous) && /\p{Lu}/u.test(next) && character !== 'ß' ? WRONG_CASE : 0;
}
