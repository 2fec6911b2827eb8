import { locateTable } from '../header/locate-table.js';
import { CsvError } from '../model/csv-error.js';
import type { Dialect } from '../model/data-schema.js';
import { RecordScanner, type RecordSyntax } from '../records/record-scanner.js';
import { isEvidentTable, isOneColumn, isSentencePunctuation } from './dialect-evidence.js';
import { type DialectScore, scoreDialect } from './score-dialect.js';

/** Characters of a text that cuttings are judged by, or lines, where these are longer. */
const SNIFFED_CHARACTERS = 128 * 1024;
const MIN_SNIFFED_LINES = 5;

/** In order of preference. A blank, a colon and the rest cut much that is one value, so that they need more to show for themselves. */
const COMMON_DELIMITERS = [',', ';', '\t', '|'];
const RARE_DELIMITERS = [
  ':',
  '\u0001',
  '\u001f',
  '\u001e',
  '^',
  '~',
  '#',
  '+',
  '&',
  '*',
  '!',
  '=',
  '@',
  '$',
  '%',
  '§',
  '¦',
  '¬',
  ' ',
];

/** The unit separator of ASCII, which stands in next to no text. */
const UNUSED_DELIMITER = '\u001f';

/** Strength from which a text is cut rather than left in one column. */
const MIN_STRENGTH = 0.25;

/** The lead over the common ones that a rare delimiter needs, whose records and values are evidence besides. */
const RARE_LEAD_FACTOR = 1.3;

/** Records from which lines that are alike without quotes tell that these mean nothing. */
const MIN_EQUAL_RECORDS = 4;

/** Fitness of values from which a common delimiter needs no rival. */
const GOOD_CELL_SCORE = 0.8;

/** Where so many of so many records are cut by a common delimiter, they are no column of texts, even though no table comes out. */
const MIN_AMBIGUOUS_RECORDS = 3;
const MIN_AMBIGUOUS_SHARE = 0.9;

/** Records that are looked at to tell comments from values. */
const MAX_COMMENT_RECORDS = 1_000;

interface Options {
  readonly encoding: string;
  readonly isWhole: boolean;
}

/** `sep=;`, by which Excel is told the delimiter. */
const SEPARATOR_LINE = /^"?sep=([^\r\n])"?(\r\n|\r|\n)/i;

/**
 * How a text is cut, judged by its beginning: the delimiter and the quotes by which its records are most even and its values look most like values.
 * One column where nothing else fits. Throws CsvFault 005 where lines hold delimiters and none cuts them into a table.
 */
export function sniffDialect(text: string, { encoding, isWhole }: Options): Dialect {
  const told = SEPARATOR_LINE.exec(text);
  if (told?.[1]) {
    const rest = text.slice(told[0].length);
    const rules = chooseQuotes(rest, { delimiter: told[1], comment: null }, isWhole).rules;
    const { width } = scoreDialect(rest, rules, { isWhole });
    const place = locateTable(rest, rules, { width, isWhole });
    return { encoding, ...rules, ...place, skipLines: place.skipLines + 1 };
  }
  const judged = sniffedPart(text);
  const { rules, width } = chooseRules(judged, isWhole && judged.length === text.length);
  return { encoding, ...rules, ...locateTable(text, rules, { width, isWhole }) };
}

function sniffedPart(text: string): string {
  const lineEnd = /\r\n|\r|\n/g;
  for (let line = 0; line < MIN_SNIFFED_LINES; line++) if (!lineEnd.test(text)) return text;
  return text.slice(0, Math.max(SNIFFED_CHARACTERS, lineEnd.lastIndex));
}

function chooseRules(text: string, isWhole: boolean): DialectScore {
  if (!/(^|[\r\n])#/.test(text)) return chooseDelimiter(text, null, isWhole);
  const commented = chooseDelimiter(text, '#', isWhole);
  return hasComments(text, commented, isWhole) ? commented : chooseDelimiter(text, null, isWhole);
}

/**
 * Whether lines that begin with # are remarks: one of them is not cut as the others are, and none of those behind the first other line is. Else it is
 * the header, or the values, that begin so.
 */
function hasComments(text: string, { rules, width, records }: DialectScore, isWhole: boolean): boolean {
  if (records === 0 || width === 1) return false;
  const scanner = new RecordScanner(text, { ...rules, comment: null }, isWhole);
  let isBehind = false;
  let isAnyOdd = false;
  for (let seen = 0; seen < MAX_COMMENT_RECORDS; seen++) {
    const values = scanner.next();
    if (!values) break;
    if (!text.startsWith('#', scanner.start)) isBehind = true;
    else if (values.length !== width) isAnyOdd = true;
    else if (isBehind) return false;
  }
  return isAnyOdd;
}

function chooseDelimiter(text: string, comment: string | null, isWhole: boolean): DialectScore {
  const cut = (delimiter: string) => chooseQuotes(text, { delimiter, comment }, isWhole);
  const isEvident = (cutting: DialectScore) =>
    cutting.strength >= MIN_STRENGTH && isEvidentTable(text, cutting, isWhole);
  const isThere = (delimiter: string) => text.includes(delimiter);
  const common = best(COMMON_DELIMITERS.filter(isThere).map(cut));
  const isStrong = common !== undefined && common.strength >= MIN_STRENGTH;
  if (isStrong && common.share < 1 && isOneColumn(text, common, isWhole))
    return scoreSingleColumn(text, comment, isWhole);
  if (isStrong && common.cellScore >= GOOD_CELL_SCORE) return common;
  const rare = best(RARE_DELIMITERS.filter(isThere).map(cut).filter(isEvident));
  if (rare && (!isStrong || rare.score > common.score * RARE_LEAD_FACTOR)) return rare;
  if (isStrong) return common;
  if (common && isAmbiguous(common) && !isSentencePunctuation(text, common.rules.delimiter))
    throw new CsvError('WA-AF-005', 'The lines hold delimiters, but none cuts them into a table.');
  return scoreSingleColumn(text, comment, isWhole);
}

function isAmbiguous({ records, shareSplit: shareCut }: DialectScore): boolean {
  return records >= MIN_AMBIGUOUS_RECORDS && shareCut >= MIN_AMBIGUOUS_SHARE;
}

/** One column: by a delimiter that cuts no value. */
function scoreSingleColumn(text: string, comment: string | null, isWhole: boolean): DialectScore {
  const cut = (delimiter: string) => scoreDialect(text, { delimiter, quote: '"', escape: '"', comment }, { isWhole });
  return COMMON_DELIMITERS.map(cut).find(({ shareSplit: shareCut }) => shareCut === 0) ?? cut(UNUSED_DELIMITER);
}

/** The first of those with the highest score. */
function best(cuttings: readonly DialectScore[]): DialectScore | undefined {
  let chosen: DialectScore | undefined;
  for (const cutting of cuttings) if (!chosen || cutting.score > chosen.score) chosen = cutting;
  return chosen;
}

/** Whether quotes join lines that are all alike without them: then they only happen to stand where values begin and end. */
function joinsEqualLines(quoted: DialectScore, none: DialectScore): boolean {
  if (quoted.hasUnclosedQuote || none.records < MIN_EQUAL_RECORDS) return false;
  return none.records > quoted.records && none.share === 1 && none.width === quoted.width;
}

/** The best of the ways in which quotes may be meant: in doubt they are those of RFC 4180. */
function chooseQuotes(
  text: string,
  { delimiter, comment }: Pick<RecordSyntax, 'delimiter' | 'comment'>,
  isWhole: boolean,
): DialectScore {
  const cut = (quote: string | null, escaping: string | null) =>
    scoreDialect(text, { delimiter, quote, escape: escaping, comment }, { isWhole });
  let chosen = cut('"', '"');
  if (text.includes("'")) {
    const single = cut("'", "'");
    if (single.score > chosen.score) chosen = single;
  }
  if (text.includes('"')) {
    const none = cut(null, null);
    if (joinsEqualLines(chosen, none)) return none;
  }
  const { quote } = chosen.rules;
  if (quote !== null && text.includes(`\\${quote}`)) {
    const backslash = cut(quote, '\\');
    if (backslash.score >= chosen.score) chosen = backslash;
  }
  return chosen;
}
