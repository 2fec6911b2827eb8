import { EXTRA_COLUMN, type TableSchema } from '../../tables/table-schema.js';
import { jsonKindOf, jsonReaders } from './json-value.js';
import type { RecordField } from './split-record-fields.js';

/** Characters of a value that a reason quotes. */
const MAX_QUOTED_CHARACTERS = 64;

/** The values of a record in the order of the columns, or why it does not fit. */
export type ConvertedRecord = { readonly values: readonly (string | null)[] } | { readonly reason: string };

/** Makes rows of a table from records. A field without a column of its own is in `_extra`; of several with one name the last one counts. */
export class RecordConverter {
  readonly #places: ReadonlyMap<string, number>;
  readonly #extra: number | undefined;

  constructor(private readonly schema: TableSchema) {
    const places = new Map(schema.fields.map(({ name }, place) => [name, place] as const));
    this.#extra = places.get(EXTRA_COLUMN);
    places.delete(EXTRA_COLUMN);
    this.#places = places;
  }

  convert(fields: readonly RecordField[]): ConvertedRecord {
    const values = new Array<string | null>(this.schema.fields.length).fill(null);
    const last = new Map<number, string>();
    const others: RecordField[] = [];
    for (const [name, value] of fields) {
      const place = this.#places.get(name);
      if (place === undefined) others.push([name, value]);
      else last.set(place, value);
    }
    for (const [place, value] of last) {
      if (jsonKindOf(value) === 'null') continue;
      const read = this.#read(place, value);
      if (read === undefined) return { reason: this.#misfit(place, value) };
      values[place] = read;
    }
    if (others.some(([, value]) => jsonKindOf(value) !== 'null')) {
      if (this.#extra === undefined) return { reason: 'the record has fields that the table has no column for' };
      values[this.#extra] = objectOf(others);
    }
    return { values };
  }

  #read(place: number, value: string): string | undefined {
    const field = this.schema.fields[place];
    return field && jsonReaders[field.type](value);
  }

  #misfit(place: number, value: string): string {
    const { name, type } = this.schema.fields[place] as TableSchema['fields'][number];
    return `column "${name}": ${value.slice(0, MAX_QUOTED_CHARACTERS).toWellFormed()} does not fit ${type}`;
  }
}

function objectOf(fields: readonly RecordField[]): string {
  const last = new Map(fields);
  return `{${[...last].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}
