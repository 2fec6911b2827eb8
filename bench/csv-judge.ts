import type { Answer, TypedValue } from './csv-answer.js';
import type { Truth } from './csv-corpus.js';

/** What a system has made of a file, or what it said where it gave up. */
export interface Reading {
  readonly answer: Answer | Error;
  readonly texts: readonly (readonly string[])[] | Error;
  readonly typed: readonly (readonly TypedValue[])[] | Error;
}

/** One thing that the truth of a file states, beside what a system says to it. */
export interface Judged {
  /** The column, the row or the vocabulary where the aspect has several. */
  readonly detail?: string;
  readonly expected: string;
  readonly found: string;
  readonly right: boolean;
  /** What was found is something that the source of the truth has no word for, so that it could not have stated it. */
  readonly wordless?: boolean;
}

/** Judges one aspect: nothing where the truth states nothing of it. `text` is the file read as UTF-8. */
export type Judge = (truth: Truth, reading: Reading, text: string) => Judged[];

export function judge<Given, Part>(
  expected: Part,
  given: Given | Error,
  partOf: (given: Given) => Part,
  same: (expected: Part, found: Part) => boolean = Object.is,
): Judged {
  if (given instanceof Error) return { expected: shown(expected), found: faultOf(given), right: false };
  const found = partOf(given);
  return { expected: shown(expected), found: shown(found), right: same(expected, found) };
}

function faultOf(error: Error): string {
  const { code } = error as { code?: string };
  return `gives up: ${code ? `${code} ` : ''}${shown(error.message.split('\n')[0])}`;
}

/** On one line, cut to 80 characters. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}
