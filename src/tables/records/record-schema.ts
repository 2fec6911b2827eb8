import type { DriftPolicy } from '../../catalog/model/table-mode.js';
import type { FieldType } from '../../csv/model/data-schema.js';
import {
  CHANGE_COLUMNS,
  EXTRA_COLUMN,
  HISTORY_COLUMNS,
  RECORD_COLUMNS,
  SYSTEM_COLUMNS,
  type TableField,
  type TableSchema,
} from '../table-schema.js';
import { type JsonKind, jsonKindOf, parseJsonDouble, parseJsonInteger } from './json-value.js';
import type { RecordField } from './split-record-fields.js';

/** Records add no columns to a table with this many columns. Further fields become part of `_extra`. */
const MAX_COLUMNS = 1_000;

const MAX_NAME_CHARACTERS = 256;

interface Property {
  readonly type?: string | readonly string[];
  readonly format?: string;
}

const FORMATS: Readonly<Record<string, FieldType>> = { date: 'Date', 'date-time': 'DateTimeOffset', uuid: 'UUID' };

const TYPES: Readonly<Record<string, (property: Property) => FieldType>> = {
  string: ({ format = '' }) => (Object.hasOwn(FORMATS, format) ? (FORMATS[format] as FieldType) : 'String'),
  integer: () => 'Integer',
  number: () => 'Double',
  boolean: () => 'Boolean',
};

/**
 * Returns the columns in the definition of a tap, in the order of the definition. A property without a type, or with
 * several types apart from null, becomes JSON. Omits properties whose name cannot be a column.
 */
export function schemaOfTap(definition: Readonly<Record<string, unknown>> | undefined): TableSchema {
  const properties = Object.entries((definition?.properties ?? {}) as Record<string, Property>);
  const columns = new ColumnNames([]);
  const fields = properties.flatMap(([name, property]) => {
    if (!columns.add(name)) return [];
    return [{ name, type: typeOf(property) }];
  });
  return { fields };
}

function typeOf(property: Property): FieldType {
  const types = [property.type ?? []].flat().filter((type) => type !== 'null');
  const [only = ''] = types;
  return types.length === 1 && Object.hasOwn(TYPES, only) ? (TYPES[only] as (typeof TYPES)[string])(property) : 'JSON';
}

const RESERVED = [...SYSTEM_COLUMNS, ...RECORD_COLUMNS, ...HISTORY_COLUMNS, ...CHANGE_COLUMNS, EXTRA_COLUMN];

/** Column names in use. Two names must differ in more than their case. The names of system columns are reserved. */
export class ColumnNames {
  readonly #taken = new Set(RESERVED.map((name) => name.toLowerCase()));
  #count = 0;

  constructor(fields: readonly TableField[]) {
    for (const { name } of fields) this.#take(name);
  }

  /** Returns false if the name is invalid or taken, or if the table has the maximum number of columns. */
  add(name: string): boolean {
    if (!this.isFree(name)) return false;
    this.#take(name);
    return true;
  }

  isFree(name: string): boolean {
    return this.#count < MAX_COLUMNS && isColumnName(name) && !this.#taken.has(name.toLowerCase());
  }

  #take(name: string): void {
    this.#taken.add(name.toLowerCase());
    this.#count += 1;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: detects control characters in column names
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f]/;

function isColumnName(name: string): boolean {
  return name !== '' && name.length <= MAX_NAME_CHARACTERS && name.isWellFormed() && !CONTROL_CHARACTER.test(name);
}

type ObservedType = Exclude<FieldType, 'Date' | 'DateTime' | 'DateTimeOffset' | 'Time' | 'UUID' | 'Decimal'>;

const OBSERVED_TYPES: Readonly<Record<JsonKind, (value: string) => ObservedType | undefined>> = {
  null: () => undefined,
  string: () => 'String',
  boolean: () => 'Boolean',
  object: () => 'JSON',
  array: () => 'JSON',
  number: (value) => (parseJsonInteger(value) ? 'Integer' : parseJsonDouble(value) ? 'Double' : 'JSON'),
};

/** Returns undefined for null. */
export function observedTypeOf(value: string): ObservedType | undefined {
  return OBSERVED_TYPES[jsonKindOf(value)](value);
}

/**
 * Returns whether records cannot add columns. A table without columns gets a column for each field of its first
 * records.
 */
export function isFrozen({ fields }: TableSchema, driftPolicy: DriftPolicy): boolean {
  return driftPolicy !== 'add' && fields.length > 0;
}

/** Detects the columns that records add to a table. Existing columns do not change. */
export class SchemaEvolution {
  readonly #known: ReadonlySet<string>;
  readonly #found = new Map<string, ObservedType | undefined>();
  readonly #names: ColumnNames;
  #hasExtra = false;

  constructor(private readonly schema: TableSchema) {
    this.#known = new Set(schema.fields.map(({ name }) => name));
    this.#names = new ColumnNames(schema.fields);
  }

  observe(fields: readonly RecordField[]): void {
    for (const [name, value] of fields) {
      if (name !== EXTRA_COLUMN && this.#known.has(name)) continue;
      if (!this.#found.has(name) && !this.#names.add(name)) this.#hasExtra = true;
      else this.#found.set(name, commonType(this.#found.get(name), observedTypeOf(value)));
    }
  }

  /**
   * Returns the schema with the new columns at its end, or the same object if there are no new columns. A field that is
   * null in all records adds no column yet.
   */
  result(): TableSchema {
    const found = [...this.#found].flatMap(([name, type]) => (type ? [{ name, type }] : []));
    const needsExtra = this.#hasExtra && !this.#known.has(EXTRA_COLUMN);
    if (found.length === 0 && !needsExtra) return this.schema;
    const extra: TableField[] = needsExtra ? [{ name: EXTRA_COLUMN, type: 'JSON' }] : [];
    return { fields: [...this.schema.fields, ...found, ...extra] };
  }
}

/** Returns undefined if all values were null. */
function commonType(one: ObservedType | undefined, other: ObservedType | undefined): ObservedType | undefined {
  if (!one || !other || one === other) return one ?? other;
  const areNumbers = [one, other].every((type) => type === 'Integer' || type === 'Double');
  return areNumbers ? 'Double' : 'JSON';
}
