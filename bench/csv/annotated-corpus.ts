import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CorpusError } from './corpus.js';

/** Annotation files of the CSVsniffer repository. */
export const ANNOTATIONS = {
  pollock: 'POLLOCK-dialect_annotations.txt',
  w3c: 'W3C-CSVW-dialect_annotations.txt',
  wrangling: 'CCSV-manual_Dialect_Annotation.txt',
} as const;
export type AnnotatedSet = keyof typeof ANNOTATIONS;

export interface AnnotatedFile {
  readonly name: string;
  readonly path: string;
  readonly delimiter: string;
  readonly quote: string;
}

const CHARACTERS: Readonly<Record<string, string>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  space: ' ',
  vslash: '|',
  colon: ':',
  nsign: '#',
  doublequote: '"',
  singlequote: "'",
};

export interface AnnotatedCorpus {
  readonly files: readonly AnnotatedFile[];
  readonly missing: number;
}

/**
 * Reads the annotations in the folder `ground truth` next to `folder`. Each line contains the file name, encoding,
 * delimiter and quote, separated by `|`. Throws `CorpusError` if the annotations or all files are missing, or if an
 * annotation is invalid.
 */
export function readAnnotatedCorpus(folder: string, set: AnnotatedSet): AnnotatedCorpus {
  const path = join(dirname(folder), 'ground truth', ANNOTATIONS[set]);
  if (!existsSync(path)) throw new CorpusError(`${path} is missing`);
  const [, ...lines] = readFileSync(path, 'utf8')
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'));
  const files = lines.map((line) => annotatedFile(line, folder));
  const present = files.filter((file) => existsSync(file.path));
  if (present.length === 0) throw new CorpusError(`${folder} contains none of the annotated files`);
  return { files: present, missing: files.length - present.length };
}

function annotatedFile(line: string, folder: string): AnnotatedFile {
  const [name = '', , delimiter = '', quote = ''] = line.split('|');
  return { name, path: join(folder, name), delimiter: characterOf(delimiter, line), quote: characterOf(quote, line) };
}

function characterOf(word: string, line: string): string {
  const character = CHARACTERS[word];
  if (character === undefined) throw new CorpusError(`the annotation "${line}" has an unknown character "${word}"`);
  return character;
}
