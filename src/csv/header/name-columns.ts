import { formatBytes } from '../../kernel/formats/format-bytes.js';
import { CsvError } from '../model/csv-error.js';
import { MAX_NAME_CHARACTERS, MAX_NAMES_BYTES } from '../model/csv-limits.js';

export interface ColumnName {
  readonly name: string;
  /** Original text of the header, if it differs from `name`. */
  readonly title?: string;
}

const BREAK = /[\r\n\t]+/g;

/** C1 controls, which result from a wrong encoding, and characters that are invisible or change the text direction. */
const STRIPPED = /[\u0080-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

const CONTROL = /\p{Cc}/u;

/**
 * Names `count` columns after the titles of the header, trimmed and in NFC. A column without a title becomes
 * `column_3`, for example, and a second `id` becomes `id_2`. Generated names never equal a title of the header. Throws
 * `CsvError` WA-AF-007 if a title exceeds 256 characters or contains control characters, or if all titles together are
 * too long.
 */
export function nameColumns(titles: readonly string[] | undefined, count: number): ColumnName[] {
  const size = (titles ?? []).reduce((sum, title) => sum + Buffer.byteLength(title), 0);
  if (size > MAX_NAMES_BYTES)
    throw new CsvError(
      'WA-AF-007',
      `The column names together exceed the limit of ${formatBytes(MAX_NAMES_BYTES)}. Shorten the column names.`,
    );
  const wanted = Array.from({ length: count }, (_, index) => cleanTitle(titles?.[index] ?? '', index));
  const taken = new Set(wanted);
  const used = new Set<string>();
  const counters = new Map<string, number>();
  return wanted.map((clean, index) => {
    const title = titles?.[index];
    const name = freeName(clean, index, { taken, used, counters });
    used.add(name);
    return title === undefined || title === name || title === '' ? { name } : { name, title };
  });
}

interface Names {
  /** Titles of the header, which no generated name may equal. */
  readonly taken: Set<string>;
  readonly used: Set<string>;
  /** Next suffix by name. */
  readonly counters: Map<string, number>;
}

function freeName(clean: string, index: number, { taken, used, counters }: Names): string {
  if (clean !== '' && !used.has(clean)) return clean;
  const base = clean === '' ? `column_${index + 1}` : clean;
  let name = base;
  let number = counters.get(base) ?? 2;
  while (used.has(name) || taken.has(name)) name = `${base}_${number++}`;
  counters.set(base, number);
  return name;
}

function cleanTitle(title: string, index: number): string {
  const clean = title.normalize('NFC').replace(STRIPPED, '').trim().replace(BREAK, ' ');
  const column = `The name of column ${index + 1}`;
  if (clean.length > MAX_NAME_CHARACTERS)
    throw new CsvError('WA-AF-007', `${column} has more than the maximum of ${MAX_NAME_CHARACTERS} characters.`);
  if (CONTROL.test(clean)) throw new CsvError('WA-AF-007', `${column} contains control characters.`);
  return clean;
}
