import { EXTRA_COLUMN, type TableField, type TableSchema } from '../table-schema.js';
import { type ConvertedRecord, describeMismatch } from './convert-record.js';
import { ADD_COLUMNS, type Drift, UnknownFields } from './drift.js';
import { plainReaders } from './plain-readers.js';
import { isFrozen, SchemaEvolution } from './record-schema.js';
import type { RecordField } from './split-record-fields.js';
import { type ValueReader, valueReaders } from './value-readers.js';

/** A parsed record. Its values are JSON values, but a number may be a `JSON.rawJSON` object. */
export type ParsedRecord = Readonly<Record<string, unknown>>;

const NO_POSITION = -1;

/** Like `RecordConverter`, for parsed records. Returns the same results, but creates no JSON text. */
export class ObjectConverter {
  readonly #order: FieldOrder;
  readonly #plain: readonly ValueReader[];
  readonly #readers: readonly ValueReader[];
  readonly #extra: number | undefined;
  readonly #empty: readonly null[];

  readonly #isFrozen: boolean;
  readonly #unknown: UnknownFields;

  constructor(
    private readonly schema: TableSchema,
    drift: Drift = ADD_COLUMNS,
  ) {
    this.#isFrozen = isFrozen(schema, drift.policy);
    this.#unknown = new UnknownFields(schema, drift);
    const { fields } = schema;
    const extra = fields.findIndex(({ name }) => name === EXTRA_COLUMN);
    this.#extra = extra < 0 ? undefined : extra;
    this.#order = new FieldOrder(
      new Map(fields.flatMap(({ name }, position) => (position === extra ? [] : [[name, position]]))),
    );
    this.#plain = fields.map(({ type }) => plainReaders[type]);
    this.#readers = fields.map(({ type }) => valueReaders[type]);
    this.#empty = fields.map(() => null);
  }

  convert(record: ParsedRecord): ConvertedRecord {
    const values: (string | null)[] = this.#empty.slice();
    const names = Object.keys(record);
    let isPlain = true;
    let others: RecordField[] | undefined;
    let unknown: RecordField[] | undefined;
    for (let nth = 0; nth < names.length; nth++) {
      const name = names[nth] as string;
      const value = record[name];
      if (value === undefined) continue;
      const position = this.#order.positionOf(name, nth);
      if (position === NO_POSITION) {
        const field = [name, JSON.stringify(value)] as const;
        others ??= [];
        others.push(field);
        if (value === null) continue;
        unknown ??= [];
        unknown.push(field);
      } else if (value !== null) {
        let text = this.#plain[position]?.(value);
        if (text === undefined) {
          isPlain = false;
          text = this.#readers[position]?.(value);
          if (text === undefined)
            return { reason: describeMismatch(this.schema.fields[position] as TableField, JSON.stringify(value)) };
        }
        values[position] = text;
      }
    }
    if (unknown === undefined) return { values, isPlain };
    const fault = this.#unknown.check(unknown);
    if (fault) return fault;
    values[this.#extra as number] = `{${others?.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
    return { values, isPlain };
  }

  /** Like `evolveSchema`, for parsed records. */
  evolve(records: readonly ParsedRecord[]): TableSchema {
    if (this.#isFrozen) return this.schema;
    let evolution: SchemaEvolution | undefined;
    for (const record of records) {
      const names = Object.keys(record);
      for (let nth = 0; nth < names.length; nth++) {
        const name = names[nth] as string;
        if (this.#order.positionOf(name, nth) !== NO_POSITION || record[name] === undefined) continue;
        evolution ??= new SchemaEvolution(this.schema);
        evolution.observe([[name, JSON.stringify(record[name])]]);
      }
    }
    return evolution?.result() ?? this.schema;
  }
}

/**
 * Maximum number of fields that `FieldOrder` caches. `FieldOrder` searches for the columns of further fields by name.
 */
const MAX_REMEMBERED = 1_000;

/**
 * Caches the columns of fields by their position. Most records have the same fields in the same order, so the converter
 * rarely searches by name.
 */
class FieldOrder {
  readonly #names: string[] = [];
  readonly #found: number[] = [];

  constructor(private readonly positions: ReadonlyMap<string, number>) {}

  /** Returns the position of the column for field `nth` of a record, or `NO_POSITION` if the field has no column. */
  positionOf(name: string, nth: number): number {
    if (this.#names[nth] === name) return this.#found[nth] as number;
    const position = this.positions.get(name) ?? NO_POSITION;
    if (nth < MAX_REMEMBERED && nth <= this.#names.length) {
      this.#names[nth] = name;
      this.#found[nth] = position;
    }
    return position;
  }
}
