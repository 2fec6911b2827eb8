import type { DriftPolicy } from '../../catalog/model/table-mode.js';
import { EXTRA_COLUMN, type TableField, type TableSchema } from '../table-schema.js';
import { jsonKindOf, jsonReaders } from './json-value.js';
import { isFrozen } from './record-schema.js';
import type { RecordField } from './split-record-fields.js';

/** Rejection reasons quote this much of a value. */
const MAX_QUOTED_CHARACTERS = 64;

/** Reason for rejecting a record with fields that no column can hold. */
export const NO_COLUMN = 'the record has fields without a column in the table';

/** The values in the order of the columns, or the reason for rejecting the record. */
export type ConvertedRecord = ConvertedValues | { readonly reason: string };

interface ConvertedValues {
  readonly values: readonly (string | null)[];
  /** Whether `StagingArea.addPlain` accepts the values. */
  readonly isPlain?: boolean;
}

/**
 * Converts records to table rows. Fields without a column go into `_extra`; of several fields with the same name, the
 * last field counts.
 */
export class RecordConverter {
  readonly #positions: ReadonlyMap<string, number>;
  readonly #extra: number | undefined;

  readonly #isFrozen: boolean;

  constructor(
    private readonly schema: TableSchema,
    driftPolicy: DriftPolicy = 'add',
  ) {
    this.#isFrozen = isFrozen(schema, driftPolicy);
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
    const unknown = others.find(([, value]) => jsonKindOf(value) !== 'null');
    if (unknown) {
      if (this.#isFrozen) return { reason: describeUnknownField(unknown[0]) };
      if (this.#extra === undefined) return { reason: NO_COLUMN };
      values[this.#extra] = objectOf(others);
    }
    return { values };
  }

  #read(position: number, value: string): string | undefined {
    const field = this.schema.fields[position];
    return field && jsonReaders[field.type](value);
  }
}

/** Reason for rejecting a record whose value, as JSON, does not fit its column. */
export function describeMismatch({ name, type }: TableField, value: string): string {
  return `column "${name}": ${value.slice(0, MAX_QUOTED_CHARACTERS).toWellFormed()} does not fit ${type}`;
}

/** Reason for rejecting a record with a field that a table with frozen columns lacks. */
export function describeUnknownField(name: string): string {
  const shown = name.slice(0, MAX_QUOTED_CHARACTERS).toWellFormed();
  return `field "${shown}": the table has no such column, and the drift policy of its tap is freeze`;
}

function objectOf(fields: readonly RecordField[]): string {
  const last = new Map(fields);
  return `{${[...last].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}
