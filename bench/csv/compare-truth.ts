import type { GroundTruth } from './corpus.js';
import type { SniffedCsv, TypedValue } from './csv-system.js';

export interface SystemOutput {
  readonly sniffed: SniffedCsv | Error;
  readonly texts: readonly (readonly string[])[] | Error;
  readonly typed: readonly (readonly TypedValue[])[] | Error;
}

export interface AspectScore {
  /** The scored column, row or vocabulary, if the aspect has several. */
  readonly detail?: string;
  readonly expected: string;
  readonly found: string;
  readonly right: boolean;
  /** True if the vocabulary of the manifest has no name for the detected type. */
  readonly wordless?: boolean;
}

/** `truth` is the entry of the file in the manifest, and `text` is the file decoded as UTF-8. */
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

export function formatValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}
