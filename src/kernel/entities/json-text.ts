import type { EntityRow } from './entity-table.js';

/** The text of a JSON column. Responses contain it unchanged. */
export class JsonText {
  constructor(readonly text: string) {}

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/**
 * Values of a row in PostgreSQL's text format. The first read of a JSON object or list replaces its text with the parsed
 * value.
 */
const VALUES = Symbol('values');

/** Stores the values in the row, for the properties that `defineJsonColumn` adds. */
export function keepValues(row: EntityRow, values: unknown[]): void {
  row[VALUES as never] = values as never;
}

const textKeys = new Map<string, symbol>();

/** Symbol of the property that returns the text of the JSON column `property`. Only rows have this property. */
export function jsonTextKey(property: string): symbol {
  let key = textKeys.get(property);
  if (!key) textKeys.set(property, (key = Symbol(`text of ${property}`)));
  return key;
}

/**
 * Adds two properties for the value at `index`: `property` parses the value when code reads it, and the property with
 * the key `jsonTextKey(property)` returns the value as `JsonText`. Both properties return the same value for null, for
 * an object that is already parsed, and in a row that overrides `property`.
 */
export function defineJsonColumn(prototype: object, property: string, index: number): void {
  Object.defineProperty(prototype, property, {
    get() {
      const values = this[VALUES];
      const value = values[index];
      if (typeof value !== 'string') return value;
      const parsed = JSON.parse(value);
      if (typeof parsed === 'object') values[index] = parsed; // All readers of the row share this object.
      return parsed;
    },
    set(value) {
      Object.defineProperty(this, property, { value, writable: true, enumerable: true, configurable: true });
    },
  });
  Object.defineProperty(prototype, jsonTextKey(property), {
    get() {
      for (let object = this; object !== prototype; object = Object.getPrototypeOf(object))
        if (Object.hasOwn(object, property)) return this[property];
      const value = this[VALUES][index];
      return typeof value === 'string' && value !== 'null' ? new JsonText(value) : this[property];
    },
  });
}

export function writeJson(value: unknown): string {
  return value instanceof JsonText ? value.text : JSON.stringify(value);
}

export function isJsonText(value: unknown): value is JsonText {
  return value instanceof JsonText;
}
