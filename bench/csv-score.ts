import { readFileSync } from 'node:fs';
import type { Answer, CsvSystem } from './csv-answer.js';
import type { CorpusFile, Truth } from './csv-corpus.js';
import { type Judge, type Judged, judge, type Reading } from './csv-judge.js';
import { judgeRows } from './csv-judge-rows.js';
import { judgeTypes, judgeValues } from './csv-judge-types.js';

/** What is compared, in the order of the report. */
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

export interface Finding extends Judged {
  readonly file: string;
  readonly aspect: Aspect;
}

/** What must be answered for an aspect to be scored, where that is not what every system answers. */
const NEEDED: Partial<Record<Aspect, keyof Answer>> = {
  names: 'names',
  preamble: 'skipLines',
  encoding: 'encoding',
  values: 'names',
};

/** Compares what a system says of a file to all that is known of it. A system that gives up is wrong in all of it. */
export async function scoreFile(system: CsvSystem, { name, path, truth }: CorpusFile): Promise<Finding[]> {
  const reading: Reading = {
    answer: await orError(() => system.sniff(path)),
    texts: await orError(() => system.readTexts(path)),
    typed: await orError(() => system.readTyped(path)),
  };
  const text = readFileSync(path, 'utf8');
  const scored = ASPECTS.filter((aspect) => !NEEDED[aspect] || !system.ignores.has(NEEDED[aspect]));
  return scored.flatMap((aspect) =>
    JUDGES[aspect](truth, reading, text).map((judged) => ({ file: name, aspect, ...judged })),
  );
}

async function orError<T>(work: () => Promise<T>): Promise<T | Error> {
  try {
    return await work();
  } catch (error) {
    return error as Error;
  }
}

const JUDGES: Readonly<Record<Aspect, Judge>> = {
  delimiter: (truth, { answer }, text) => {
    // One column has no delimiter: any that cuts nothing will do.
    const cutsNothing = (found: string): boolean => truth.columnCount === 1 && !text.includes(found);
    return judgeStated(truth.delimiter, answer, 'delimiter', (a, b) => a === b || cutsNothing(b));
  },
  quote: (truth, { answer }, text) => {
    const without = (quote: string): boolean => quote === '' || (quote === '"' && !text.includes('"'));
    return judgeStated(truth.quote, answer, 'quote', (a, b) => a === b || (without(a) && without(b)));
  },
  escape: (truth, { answer }, text) => {
    const matters = truth.escape && truth.quote && text.includes(truth.escape + truth.quote);
    return matters ? judgeStated(truth.escape, answer, 'escape') : [];
  },
  header: ({ headerRow }, { answer }) => judgeStated(headerRow, answer, 'header'),
  'column count': ({ columnCount }, { answer }) =>
    columnCount === undefined ? [] : [judge(columnCount, answer, ({ kinds }) => kinds.length)],
  names: judgeNames,
  preamble: ({ preambleRows, skipRows, headerOffset }, { answer }) =>
    judgeStated(preambleRows ?? skipRows ?? headerOffset, answer, 'skipLines'),
  encoding: judgeEncoding,
  rows: judgeRows,
  types: judgeTypes,
  values: judgeValues,
};

/** Nothing where the truth states nothing. */
function judgeStated<Key extends 'delimiter' | 'quote' | 'escape' | 'header' | 'skipLines'>(
  expected: Answer[Key] | undefined,
  answer: Answer | Error,
  key: Key,
  same: (expected: Answer[Key], found: Answer[Key]) => boolean = Object.is,
): Judged[] {
  return expected === undefined ? [] : [judge(expected, answer, (given) => given[key], same)];
}

/** A name that the text does not hold was made by the source of the truth for a column without one; every system makes its own. */
function judgeNames(truth: Truth, { answer }: Reading, text: string): Judged[] {
  const stated = truth.columns ?? truth.headerCells01 ?? (truth.firstColumn === undefined ? [] : [truth.firstColumn]);
  if (stated.length === 0) return [];
  const same = (expected: readonly string[], found: readonly string[]): boolean =>
    expected.every((name, i) => name === found[i] || !text.includes(name));
  return [judge(stated, answer, ({ names }) => names.slice(0, stated.length), same)];
}

function judgeEncoding({ encoding, isUtf8, notUtf8 }: Truth, { answer }: Reading): Judged[] {
  const found = ({ encoding }: Answer): string => encoding;
  if (encoding !== undefined) return [judge(encoding.replace(/ with BOM$/, ''), answer, found)];
  const utf8 = isUtf8 ?? (notUtf8 === undefined ? undefined : !notUtf8);
  if (utf8 === undefined) return [];
  return [judge(utf8 ? 'utf-8' : 'not utf-8', answer, found, (_, name) => (name === 'utf-8') === utf8)];
}
