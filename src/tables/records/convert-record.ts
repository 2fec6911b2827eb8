import { EXTRA_COLUMN, type TableField, type TableSchema } from '../table-schema.js';
import { ADD_COLUMNS, type Drift, type NeededColumn, UnknownFields } from './drift.js';
import { jsonKindOf, jsonReaders } from './json-value.js';
import type { RecordField } from './split-record-fields.js';

const MAX_QUOTED_CHARACTERS = 64;

/** The values in the order of the columns, or the reason to reject or hold the record. */
export type ConvertedRecord = ConvertedValues | RefusedRecord;

interface RefusedRecord {
  readonly reason: string;
  /** Columns that a user must accept or refuse. If undefined, the service rejects the record. */
  readonly needs?: readonly NeededColumn[];
}

interface ConvertedValues {
  readonly values: readonly (string | null)[];
  /** Whether `StagingArea.addPlain` accepts the values. */
  readonly isPlain?: boolean;
}

/**
 * Converts records to table rows. Fields without a column become part of `_extra`, unless the drift policy rejects or
 * holds the record. If several fields have the same name, the last field counts.
 */
export class RecordConverter {
  readonly #positions: ReadonlyMap<string, number>;
  readonly #extra: number | undefined;

  readonly #unknown: UnknownFields;

  constructor(
    private readonly schema: TableSchema,
    drift: Drift = ADD_COLUMNS,
  ) {
    this.#unknown = new UnknownFields(schema, drift);
    const positions = new Map(schema.fields.map(({ name }, position) => [name, position] as const));
    this.#extra = positions.get(EXTRA_COLUMN);
    positions.delete(EXTRA_COLUMN);
    this.#positions = positions;
  }

  convert(fields: readonly RecordField[]): ConvertedRecord {
    const values = new Array<string | null>(this.schema.fields.length).fill(null);
    const last = new Map<number, string>();
    const others: RecordField[] = [];
    for (const [name, value] of fields) {
      const position = this.#positions.get(name);
      if (position === undefined) others.push([name, value]);
      else last.set(position, value);
    }
    for (const [position, value] of last) {
      if (jsonKindOf(value) === 'null') continue;
      const read = this.#read(position, value);
      if (read === undefined) return { reason: describeMismatch(this.schema.fields[position] as TableField, value) };
      values[position] = read;
    }
    const unknown = others.filter(([, value]) => jsonKindOf(value) !== 'null');
    if (unknown.length > 0) {
      const fault = this.#unknown.check(unknown);
      if (fault) return fault;
      values[this.#extra as number] = objectOf(others);
    }
    return { values };
  }

  #read(position: number, value: string): string | undefined {
    const field = this.schema.fields[position];
    return field && jsonReaders[field.type](value);
  }
}

/** Returns the reason to reject a record. `value` is JSON text that does not fit the column. */
export function describeMismatch({ name, type }: TableField, value: string): string {
  return `column "${name}": ${value.slice(0, MAX_QUOTED_CHARACTERS).toWellFormed()} does not fit ${type}`;
}

function objectOf(fields: readonly RecordField[]): string {
  const last = new Map(fields);
  return `{${[...last].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}
