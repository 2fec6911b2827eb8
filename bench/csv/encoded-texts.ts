import iconv from 'iconv-lite';

export interface EncodedText {
  readonly language: string;
  readonly encoding: string;
  readonly rows: number;
  /** Every character exists in `encoding`. */
  readonly text: string;
}

const WESTERN = ['windows-1252', 'iso-8859-1', 'iso-8859-15', 'cp850', 'macintosh'];
const CENTRAL = ['windows-1250', 'iso-8859-2', 'cp852'];
const CYRILLIC = ['windows-1251', 'koi8-r', 'iso-8859-5', 'cp866'];
const WIDE = ['utf-8', 'utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'];

const ENCODINGS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(['de', 'fr', 'es', 'it', 'pt', 'nl', 'da', 'sv', 'nb', 'fi'].map((name) => [name, WESTERN])),
  ...Object.fromEntries(['pl', 'cs', 'hu', 'sk', 'sl', 'hr'].map((name) => [name, CENTRAL])),
  ru: CYRILLIC,
  bg: ['windows-1251', 'iso-8859-5'],
  uk: ['windows-1251', 'koi8-u'],
  el: ['windows-1253', 'iso-8859-7'],
  tr: ['windows-1254', 'iso-8859-9'],
  lt: ['windows-1257'],
  lv: ['windows-1257'],
  he: ['windows-1255'],
  th: ['cp874'],
  ja: ['shift_jis', 'euc-jp'],
  zh: ['gb18030', 'gbk'],
  'zh-Hant': ['big5'],
  ko: ['euc-kr'],
};

export const ROW_COUNTS = [10, 100, 1_000] as const;

const FILES = 10;

const MAX_CODE = 900;

/** The same version of ICU always yields the same texts. */
export function encodedTexts(): EncodedText[] {
  return Object.entries(ENCODINGS).flatMap(([language, encodings]) => {
    const words = wordsOf(language);
    return [...encodings, ...WIDE].flatMap((encoding) => {
      const encodable = words.filter((word) => isEncodable(word, encoding));
      return ROW_COUNTS.flatMap((rows) =>
        Array.from({ length: FILES }, (_, seed) => ({ language, encoding, rows, text: textOf(encodable, rows, seed) })),
      );
    });
  });
}

/** Uses the names of regions, languages and currencies, because many real files contain such names. */
function wordsOf(language: string): string[] {
  const kinds = { region: regionCodes(), language: languageCodes(), currency: Intl.supportedValuesOf('currency') };
  const names = Object.entries(kinds).flatMap(([type, codes]) => {
    const display = new Intl.DisplayNames(language, { type: type as Intl.DisplayNamesType, fallback: 'none' });
    return codes.flatMap((code) => display.of(code) ?? []);
  });
  return names.map((name) => name.replace(/[’‘ʻ´;"\u202f\u00a0\u200e\u200f]/g, ' '));
}

function isEncodable(word: string, encoding: string): boolean {
  return iconv.decode(iconv.encode(word, encoding), encoding) === word;
}

function letterPairs(): string[] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters.flatMap((first) => letters.map((second) => first + second));
}

const regionCodes = letterPairs;

function languageCodes(): string[] {
  return letterPairs().map((pair) => pair.toLowerCase());
}

function textOf(words: readonly string[], rows: number, seed: number): string {
  let state = seed * 7_919 + rows;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const word = (): string => words[next(words.length)] ?? '';
  const lines = Array.from(
    { length: rows },
    (_, row) => `${row + 1};${word()};${word()};${next(MAX_CODE)},${10 + next(90)}`,
  );
  return `id;${word()};${word()};preis\n${lines.join('\n')}\n`;
}
