import { readFileSync } from 'node:fs';
import { type AspectScore, type AspectScorer, compareTruth, type SystemOutput } from './compare-truth.js';
import type { CorpusFile, GroundTruth } from './corpus.js';
import type { CsvSystem, SniffedCsv } from './csv-system.js';
import { scoreRows } from './score-rows.js';
import { scoreTypes, scoreValues } from './score-types.js';

export const ASPECTS = [
  'delimiter',
  'quote',
  'escape',
  'header',
  'column count',
  'names',
  'preamble',
  'encoding',
  'rows',
  'types',
  'values',
] as const;
export type Aspect = (typeof ASPECTS)[number];

export interface ScoredAspect extends AspectScore {
  readonly file: string;
  readonly aspect: Aspect;
}

/** The benchmark scores these aspects only for systems that detect the corresponding property. */
const REQUIRED_FIELDS: Partial<Record<Aspect, keyof SniffedCsv>> = {
  names: 'names',
  preamble: 'skipLines',
  encoding: 'encoding',
  values: 'names',
};

/** If the system throws an error, the known properties of the file count as wrong. */
export async function scoreFile(system: CsvSystem, { name, path, truth }: CorpusFile): Promise<ScoredAspect[]> {
  const reading: SystemOutput = {
    sniffed: await orError(() => system.sniff(path)),
    texts: await orError(() => system.readTexts(path)),
    typed: await orError(() => system.readTyped(path)),
  };
  const text = readFileSync(path, 'utf8');
  const scored = ASPECTS.filter((aspect) => !REQUIRED_FIELDS[aspect] || !system.ignores.has(REQUIRED_FIELDS[aspect]));
  return scored.flatMap((aspect) =>
    SCORERS[aspect](truth, reading, text).map((judged) => ({ file: name, aspect, ...judged })),
  );
}

async function orError<T>(work: () => Promise<T>): Promise<T | Error> {
  try {
    return await work();
  } catch (error) {
    return error as Error;
  }
}

const SCORERS: Readonly<Record<Aspect, AspectScorer>> = {
  delimiter: (truth, { sniffed }, text) => {
    // A file with one column has no delimiter. Any delimiter that the text does not contain is correct.
    const cutsNothing = (found: string): boolean => truth.columnCount === 1 && !text.includes(found);
    return scoreStated(truth.delimiter, sniffed, 'delimiter', (a, b) => a === b || cutsNothing(b));
  },
  quote: (truth, { sniffed }, text) => {
    const without = (quote: string): boolean => quote === '' || (quote === '"' && !text.includes('"'));
    return scoreStated(truth.quote, sniffed, 'quote', (a, b) => a === b || (without(a) && without(b)));
  },
  escape: (truth, { sniffed }, text) => {
    const matters = truth.escape && truth.quote && text.includes(truth.escape + truth.quote);
    return matters ? scoreStated(truth.escape, sniffed, 'escape') : [];
  },
  header: ({ headerRow }, { sniffed }) => scoreStated(headerRow, sniffed, 'header'),
  'column count': ({ columnCount }, { sniffed }) =>
    columnCount === undefined ? [] : [compareTruth(columnCount, sniffed, ({ kinds }) => kinds.length)],
  names: scoreNames,
  preamble: ({ preambleRows, skipRows, headerOffset }, { sniffed }) =>
    scoreStated(preambleRows ?? skipRows ?? headerOffset, sniffed, 'skipLines'),
  encoding: scoreEncoding,
  rows: scoreRows,
  types: scoreTypes,
  values: scoreValues,
};

function scoreStated<Key extends 'delimiter' | 'quote' | 'escape' | 'header' | 'skipLines'>(
  expected: SniffedCsv[Key] | undefined,
  sniffed: SniffedCsv | Error,
  key: Key,
  same: (expected: SniffedCsv[Key], found: SniffedCsv[Key]) => boolean = Object.is,
): AspectScore[] {
  return expected === undefined ? [] : [compareTruth(expected, sniffed, (given) => given[key], same)];
}

/**
 * If the text does not contain the expected name of a column, any name is correct. Each system generates different
 * names for such a column.
 */
function scoreNames(truth: GroundTruth, { sniffed }: SystemOutput, text: string): AspectScore[] {
  const stated = truth.columns ?? truth.headerCells01 ?? (truth.firstColumn === undefined ? [] : [truth.firstColumn]);
  if (stated.length === 0) return [];
  const same = (expected: readonly string[], found: readonly string[]): boolean =>
    expected.every((name, i) => name === found[i] || !text.includes(name));
  return [compareTruth(stated, sniffed, ({ names }) => names.slice(0, stated.length), same)];
}

function scoreEncoding({ encoding, isUtf8, notUtf8 }: GroundTruth, { sniffed }: SystemOutput): AspectScore[] {
  const found = ({ encoding }: SniffedCsv): string => encoding;
  if (encoding !== undefined) return [compareTruth(encoding.replace(/ with BOM$/, ''), sniffed, found)];
  const utf8 = isUtf8 ?? (notUtf8 === undefined ? undefined : !notUtf8);
  if (utf8 === undefined) return [];
  return [compareTruth(utf8 ? 'utf-8' : 'not utf-8', sniffed, found, (_, name) => (name === 'utf-8') === utf8)];
}
