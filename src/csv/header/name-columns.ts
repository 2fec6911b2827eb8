import { CsvError } from '../model/csv-error.js';
import { MAX_NAME_CHARACTERS, MAX_NAMES_BYTES } from '../model/csv-limits.js';

/** What a column is called. */
export interface ColumnName {
  readonly name: string;
  /** As it stands in the header, where that differs. */
  readonly title?: string;
}

/** Line breaks and tabs in a title are blanks in the name. */
const BREAK = /[\r\n\t]+/g;

/** What is left out: C1, which single bytes become that were decoded wrongly before, and characters that show nothing or turn the direction. */
const STRIPPED = /[\u0080-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

const CONTROL = /\p{Cc}/u;

/**
 * The names of `count` columns: the titles of the header, trimmed and in NFC; `column_3` for a column without one, `id_2` for a second `id`. No
 * name is made that is there already. Throws CsvFault 007 for a title over 256 characters or with control characters in it, and for
 * titles that are too long together.
 */
export function nameColumns(titles: readonly string[] | undefined, count: number): ColumnName[] {
  const size = (titles ?? []).reduce((sum, title) => sum + Buffer.byteLength(title), 0);
  if (size > MAX_NAMES_BYTES)
    throw new CsvError('WA-AF-007', `The titles of the columns have more than ${MAX_NAMES_BYTES} bytes together.`);
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
  /** What the header says. */
  readonly taken: Set<string>;
  readonly used: Set<string>;
  /** By name: the number that the next column of that name gets. */
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
  const column = `The title of column ${index + 1}`;
  if (clean.length > MAX_NAME_CHARACTERS)
    throw new CsvError('WA-AF-007', `${column} has more than ${MAX_NAME_CHARACTERS} characters.`);
  if (CONTROL.test(clean)) throw new CsvError('WA-AF-007', `${column} holds control characters.`);
  return clean;
}
