import { EXTRA_COLUMN, type TableField, type TableSchema } from '../table-schema.js';
import { type ConvertedRecord, describeMismatch, NO_COLUMN } from './convert-record.js';
import { SchemaEvolution } from './record-schema.js';
import { valueReaders } from './value-readers.js';

/** Values must come from JSON, except `JSON.rawJSON` objects instead of numbers. */
export type ParsedRecord = Readonly<Record<string, unknown>>;

/** Like `RecordConverter`, for parsed records. The results are the same, but no JSON text is created. */
export class ObjectConverter {
  readonly #positions: ReadonlyMap<string, number>;
  readonly #readers: readonly ((value: unknown) => string | undefined)[];
  readonly #extra: number | undefined;

  constructor(private readonly schema: TableSchema) {
    const positions = new Map(schema.fields.map(({ name }, position) => [name, position] as const));
    this.#extra = positions.get(EXTRA_COLUMN);
    positions.delete(EXTRA_COLUMN);
    this.#positions = positions;
    this.#readers = schema.fields.map(({ type }) => valueReaders[type]);
  }

  convert(record: ParsedRecord): ConvertedRecord {
    const values = new Array<string | null>(this.schema.fields.length).fill(null);
    const others: string[] = [];
    let hasOthers = false;
    for (const name of Object.keys(record)) {
      const value = record[name];
      if (value === undefined) continue;
      const position = this.#positions.get(name);
      if (position === undefined) {
        others.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
        hasOthers ||= value !== null;
      } else if (value !== null) {
        const text = this.#readers[position]?.(value);
        if (text === undefined)
          return { reason: describeMismatch(this.schema.fields[position] as TableField, JSON.stringify(value)) };
        values[position] = text;
      }
    }
    if (!hasOthers) return { values };
    if (this.#extra === undefined) return { reason: NO_COLUMN };
    values[this.#extra] = `{${others.join(',')}}`;
    return { values };
  }

  /** The schema with the columns that the records add; the same object without new columns. */
  evolve(records: readonly ParsedRecord[]): TableSchema {
    const evolution = new SchemaEvolution(this.schema);
    for (const record of records)
      for (const name of Object.keys(record))
        if (!this.#positions.has(name) && record[name] !== undefined)
          evolution.observe([[name, JSON.stringify(record[name])]]);
    return evolution.result();
  }
}
