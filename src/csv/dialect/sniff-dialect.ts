import { locateTable } from '../header/locate-table.js';
import { CsvError } from '../model/csv-error.js';
import type { Dialect } from '../model/data-schema.js';
import { RecordScanner, type RecordSyntax } from '../records/record-scanner.js';
import { isEvidentTable, isOneColumn, isSentencePunctuation } from './dialect-evidence.js';
import { followsBlanks } from './initial-space.js';
import { withoutListSeparators } from './list-separators.js';
import { type DialectScore, scoreDialect } from './score-dialect.js';

/** The sample contains at least these numbers of characters and lines, unless the text is shorter. */
const SNIFFED_CHARACTERS = 128 * 1024;
const MIN_SNIFFED_LINES = 5;

/**
 * In order of preference. Rare delimiters, such as a space or colon, often occur inside values, so they require
 * stronger evidence.
 */
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

/** The ASCII unit separator, which is very rare in text files. */
const UNUSED_DELIMITER = '\u001f';

/** With a lower strength, the text is a single column or ambiguous. */
const MIN_STRENGTH = 0.25;

const RARE_LEAD_FACTOR = 1.3;

const MIN_EQUAL_RECORDS = 4;

/** A common delimiter with at least this `cellScore` wins without a comparison with rare delimiters. */
const GOOD_CELL_SCORE = 0.8;

/**
 * Number of records, and share of records that a common delimiter splits. With fewer records or a smaller share, the
 * text is a single column if no delimiter results in a table.
 */
const MIN_AMBIGUOUS_RECORDS = 3;
const MIN_AMBIGUOUS_SHARE = 0.9;

const MAX_COMMENT_RECORDS = 1_000;

interface Options {
  readonly encoding: string;
  readonly isWhole: boolean;
}

/** Matches Excel's `sep=;` line, which declares the delimiter. */
const SEPARATOR_LINE = /^"?sep=([^\r\n])"?(\r\n|\r|\n)/i;

/**
 * Detects the dialect from the beginning of a text. If the first line declares the delimiter, uses that delimiter.
 * Otherwise, chooses the delimiter and quotes that result in the most uniform record widths and the most plausible
 * values. The result may be a single column. Throws `CsvError` WA-AF-005 if lines contain delimiters but no delimiter
 * results in a table.
 */
export function sniffDialect(text: string, { encoding, isWhole }: Options): Dialect {
  const separatorLine = SEPARATOR_LINE.exec(text);
  if (separatorLine?.[1]) {
    const rest = text.slice(separatorLine[0].length);
    const { syntax } = chooseQuotes(rest, { delimiter: separatorLine[1], comment: null }, isWhole);
    const { width } = scoreDialect(rest, syntax, { isWhole });
    const position = locateTable(rest, syntax, { width, isWhole });
    return { encoding, ...syntax, ...position, skipLines: position.skipLines + 1 };
  }
  const sample = sniffedPart(text);
  const isSampleWhole = isWhole && sample.length === text.length;
  const { syntax: chosen, width } = chooseSyntax(sample, isSampleWhole);
  const syntax = followsBlanks(sample, chosen, isSampleWhole) ? { ...chosen, skipInitialSpace: true as const } : chosen;
  return { encoding, ...syntax, ...locateTable(text, syntax, { width, isWhole }) };
}

function sniffedPart(text: string): string {
  const lineEnd = /\r\n|\r|\n/g;
  for (let line = 0; line < MIN_SNIFFED_LINES; line++) if (!lineEnd.test(text)) return text;
  return text.slice(0, Math.max(SNIFFED_CHARACTERS, lineEnd.lastIndex));
}

function chooseSyntax(text: string, isWhole: boolean): DialectScore {
  if (!/(^|[\r\n])#/.test(text)) return chooseDelimiter(text, null, isWhole);
  const commented = chooseDelimiter(text, '#', isWhole);
  return hasComments(text, commented, isWhole) ? commented : chooseDelimiter(text, null, isWhole);
}

/**
 * Returns whether lines that start with # are comments, and not the header or rows. At least one of these lines must
 * have a width different from the records. After the first record, none of these lines may have the width of the
 * records.
 */
function hasComments(text: string, { syntax, width, records }: DialectScore, isWhole: boolean): boolean {
  if (records === 0 || width === 1) return false;
  const scanner = new RecordScanner(text, { ...syntax, comment: null }, isWhole);
  let isAfterRecord = false;
  let hasOtherWidth = false;
  for (let seen = 0; seen < MAX_COMMENT_RECORDS; seen++) {
    const values = scanner.next();
    if (!values) break;
    if (!text.startsWith('#', scanner.start)) isAfterRecord = true;
    else if (values.length !== width) hasOtherWidth = true;
    else if (isAfterRecord) return false;
  }
  return hasOtherWidth;
}

function chooseDelimiter(text: string, comment: string | null, isWhole: boolean): DialectScore {
  const score = (delimiter: string) => chooseQuotes(text, { delimiter, comment }, isWhole);
  const spaceRuns = () =>
    text.includes('  ') ? [chooseQuotes(text, { delimiter: ' ', comment, skipInitialSpace: true }, isWhole)] : [];
  const isEvident = (candidate: DialectScore) =>
    candidate.strength >= MIN_STRENGTH && isEvidentTable(text, candidate, isWhole);
  const occurs = (delimiter: string) => text.includes(delimiter);
  const common = best(withoutListSeparators(text, COMMON_DELIMITERS.filter(occurs).map(score), isWhole));
  const isStrong = common !== undefined && common.strength >= MIN_STRENGTH;
  if (isStrong && common.share < 1 && isOneColumn(text, common, isWhole))
    return scoreSingleColumn(text, comment, isWhole);
  if (isStrong && common.cellScore >= GOOD_CELL_SCORE) return common;
  const rare = best([...RARE_DELIMITERS.filter(occurs).map(score), ...spaceRuns()].filter(isEvident));
  if (rare && (!isStrong || rare.score > common.score * RARE_LEAD_FACTOR)) return rare;
  if (isStrong) return common;
  if (common && isAmbiguous(common) && !isSentencePunctuation(text, common.syntax.delimiter))
    throw new CsvError(
      'WA-AF-005',
      'The delimiter cannot be detected: with each candidate, the lines have different numbers of columns. Add a first line such as `sep=;`.',
    );
  return scoreSingleColumn(text, comment, isWhole);
}

function isAmbiguous({ records, shareSplit }: DialectScore): boolean {
  return records >= MIN_AMBIGUOUS_RECORDS && shareSplit >= MIN_AMBIGUOUS_SHARE;
}

/** Scores a dialect with a delimiter that splits no record. */
function scoreSingleColumn(text: string, comment: string | null, isWhole: boolean): DialectScore {
  const score = (delimiter: string) => scoreDialect(text, { delimiter, quote: '"', escape: '"', comment }, { isWhole });
  return COMMON_DELIMITERS.map(score).find(({ shareSplit }) => shareSplit === 0) ?? score(UNUSED_DELIMITER);
}

function best(candidates: readonly DialectScore[]): DialectScore | undefined {
  let chosen: DialectScore | undefined;
  for (const candidate of candidates) if (!chosen || candidate.score > chosen.score) chosen = candidate;
  return chosen;
}

/**
 * Returns whether the quotes are part of the values. This is the case if all lines have the same width without quoting,
 * but some values would span several lines with quoting.
 */
function joinsEqualLines(quoted: DialectScore, none: DialectScore): boolean {
  if (quoted.hasUnclosedQuote || none.records < MIN_EQUAL_RECORDS) return false;
  return none.records > quoted.records && none.share === 1 && none.width === quoted.width;
}

/**
 * Tries all meanings of quotes. Among equally good meanings, chooses backslash escapes if a backslash precedes a quote,
 * and otherwise doubled quotes (RFC 4180).
 */
function chooseQuotes(
  text: string,
  syntax: Pick<RecordSyntax, 'delimiter' | 'comment' | 'skipInitialSpace'>,
  isWhole: boolean,
): DialectScore {
  const score = (quote: string | null, escapeCharacter: string | null) =>
    scoreDialect(text, { ...syntax, quote, escape: escapeCharacter }, { isWhole });
  let chosen = score('"', '"');
  if (text.includes("'")) {
    const single = score("'", "'");
    if (single.score > chosen.score) chosen = single;
  }
  if (text.includes('"')) {
    const none = score(null, null);
    if (joinsEqualLines(chosen, none)) return none;
  }
  const { quote } = chosen.syntax;
  if (quote !== null && text.includes(`\\${quote}`)) {
    const backslash = score(quote, '\\');
    if (backslash.score >= chosen.score) chosen = backslash;
  }
  return chosen;
}
