import type { GroundTruth } from './corpus.js';
import type { SniffedCsv, TypedValue } from './csv-system.js';

/** What a system has made of a file, or what it said where it gave up. */
export interface SystemOutput {
  readonly answer: SniffedCsv | Error;
  readonly texts: readonly (readonly string[])[] | Error;
  readonly typed: readonly (readonly TypedValue[])[] | Error;
}

/** One thing that the truth of a file states, beside what a system says to it. */
export interface AspectScore {
  /** The column, the row or the vocabulary where the aspect has several. */
  readonly detail?: string;
  readonly expected: string;
  readonly found: string;
  readonly right: boolean;
  /** What was found is something that the source of the truth has no word for, so that it could not have stated it. */
  readonly wordless?: boolean;
}

/** Judges one aspect: nothing where the truth states nothing of it. `text` is the file read as UTF-8. */
export type AspectScorer = (truth: GroundTruth, reading: SystemOutput, text: string) => AspectScore[];

export function compareTruth<Given, Part>(
  expected: Part,
  given: Given | Error,
  partOf: (given: Given) => Part,
  same: (expected: Part, found: Part) => boolean = Object.is,
): AspectScore {
  if (given instanceof Error) return { expected: formatValue(expected), found: formatError(given), right: false };
  const found = partOf(given);
  return { expected: formatValue(expected), found: formatValue(found), right: same(expected, found) };
}

function formatError(error: Error): string {
  const { code } = error as { code?: string };
  return `gives up: ${code ? `${code} ` : ''}${formatValue(error.message.split('\n')[0])}`;
}

/** On one line, cut to 80 characters. */
export function formatValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}
