import { CsvFault } from './csv-fault.js';
import { isEvidentTable, isOfSentences, isOneColumn } from './cutting-evidence.js';
import type { Dialect } from './data-schema.js';
import { findTable } from './find-table.js';
import { type CuttingRules, RecordScanner } from './record-scanner.js';
import { type Cutting, scoreCutting } from './score-cutting.js';

/** Characters of a text that cuttings are judged by, or lines, where these are longer. */
const JUDGED = 128 * 1024;
const JUDGED_LINES = 5;

/** In order of preference. A blank, a colon and the rest cut much that is one value, so that they need more to show for themselves. */
const COMMON = [',', ';', '\t', '|'];
const RARE = [
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
const NOWHERE = '\u001f';

/** Strength from which a text is cut rather than left in one column. */
const ENOUGH = 0.25;

/** The lead over the common ones that a rare delimiter needs, whose records and values are evidence besides. */
const RARE_LEAD = 1.3;

/** Records from which lines that are alike without quotes tell that these mean nothing. */
const ALIKE_RECORDS = 4;

/** Fitness of values from which a common delimiter needs no rival. */
const WELL_CUT = 0.8;

/** Where so many of so many records are cut by a common delimiter, they are no column of texts, even though no table comes out. */
const UNDECIDED_RECORDS = 3;
const UNDECIDED_SHARE = 0.9;

/** Records that are looked at to tell comments from values. */
const COMMENTED_RECORDS = 1_000;

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
    const { width } = scoreCutting(rest, rules, { isWhole });
    const place = findTable(rest, rules, { width, isWhole });
    return { encoding, ...rules, ...place, skipLines: place.skipLines + 1 };
  }
  const judged = judgedPart(text);
  const { rules, width } = chooseRules(judged, isWhole && judged.length === text.length);
  return { encoding, ...rules, ...findTable(text, rules, { width, isWhole }) };
}

function judgedPart(text: string): string {
  const lineEnd = /\r\n|\r|\n/g;
  for (let line = 0; line < JUDGED_LINES; line++) if (!lineEnd.test(text)) return text;
  return text.slice(0, Math.max(JUDGED, lineEnd.lastIndex));
}

function chooseRules(text: string, isWhole: boolean): Cutting {
  if (!/(^|[\r\n])#/.test(text)) return chooseDelimiter(text, null, isWhole);
  const commented = chooseDelimiter(text, '#', isWhole);
  return holdsComments(text, commented, isWhole) ? commented : chooseDelimiter(text, null, isWhole);
}

/**
 * Whether lines that begin with # are remarks: one of them is not cut as the others are, and none of those behind the first other line is. Else it is
 * the header, or the values, that begin so.
 */
function holdsComments(text: string, { rules, width, records }: Cutting, isWhole: boolean): boolean {
  if (records === 0 || width === 1) return false;
  const scanner = new RecordScanner(text, { ...rules, comment: null }, isWhole);
  let isBehind = false;
  let isAnyOdd = false;
  for (let seen = 0; seen < COMMENTED_RECORDS; seen++) {
    const values = scanner.next();
    if (!values) break;
    if (!text.startsWith('#', scanner.start)) isBehind = true;
    else if (values.length !== width) isAnyOdd = true;
    else if (isBehind) return false;
  }
  return isAnyOdd;
}

function chooseDelimiter(text: string, comment: string | null, isWhole: boolean): Cutting {
  const cut = (delimiter: string) => chooseQuotes(text, { delimiter, comment }, isWhole);
  const isEvident = (cutting: Cutting) => cutting.strength >= ENOUGH && isEvidentTable(text, cutting, isWhole);
  const isThere = (delimiter: string) => text.includes(delimiter);
  const common = best(COMMON.filter(isThere).map(cut));
  const isStrong = common !== undefined && common.strength >= ENOUGH;
  if (isStrong && common.share < 1 && isOneColumn(text, common, isWhole)) return leaveUncut(text, comment, isWhole);
  if (isStrong && common.fitness >= WELL_CUT) return common;
  const rare = best(RARE.filter(isThere).map(cut).filter(isEvident));
  if (rare && (!isStrong || rare.score > common.score * RARE_LEAD)) return rare;
  if (isStrong) return common;
  if (common && isUndecided(common) && !isOfSentences(text, common.rules.delimiter))
    throw new CsvFault('WA-AF-005', 'The lines hold delimiters, but none cuts them into a table.');
  return leaveUncut(text, comment, isWhole);
}

function isUndecided({ records, shareCut }: Cutting): boolean {
  return records >= UNDECIDED_RECORDS && shareCut >= UNDECIDED_SHARE;
}

/** One column: by a delimiter that cuts no value. */
function leaveUncut(text: string, comment: string | null, isWhole: boolean): Cutting {
  const cut = (delimiter: string) => scoreCutting(text, { delimiter, quote: '"', escape: '"', comment }, { isWhole });
  return COMMON.map(cut).find(({ shareCut }) => shareCut === 0) ?? cut(NOWHERE);
}

/** The first of those with the highest score. */
function best(cuttings: readonly Cutting[]): Cutting | undefined {
  let chosen: Cutting | undefined;
  for (const cutting of cuttings) if (!chosen || cutting.score > chosen.score) chosen = cutting;
  return chosen;
}

/** Whether quotes join lines that are all alike without them: then they only happen to stand where values begin and end. */
function swallowsLines(quoted: Cutting, none: Cutting): boolean {
  if (quoted.isOpen || none.records < ALIKE_RECORDS) return false;
  return none.records > quoted.records && none.share === 1 && none.width === quoted.width;
}

/** The best of the ways in which quotes may be meant: in doubt they are those of RFC 4180. */
function chooseQuotes(
  text: string,
  { delimiter, comment }: Pick<CuttingRules, 'delimiter' | 'comment'>,
  isWhole: boolean,
): Cutting {
  const cut = (quote: string | null, escaping: string | null) =>
    scoreCutting(text, { delimiter, quote, escape: escaping, comment }, { isWhole });
  let chosen = cut('"', '"');
  if (text.includes("'")) {
    const single = cut("'", "'");
    if (single.score > chosen.score) chosen = single;
  }
  if (text.includes('"')) {
    const none = cut(null, null);
    if (swallowsLines(chosen, none)) return none;
  }
  const { quote } = chosen.rules;
  if (quote !== null && text.includes(`\\${quote}`)) {
    const backslash = cut(quote, '\\');
    if (backslash.score >= chosen.score) chosen = backslash;
  }
  return chosen;
}
