import type { EntityRow } from './entity-tables.js';

/** The text of a JSON column, for a response that contains it unchanged. */
export class JsonText {
  constructor(readonly text: string) {}

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** Values of a row in PostgreSQL's text format. A parsed JSON object replaces its text. */
const VALUES = Symbol('values');

/** Keeps the values for the properties of `defineJsonColumn`. */
export function keepValues(row: EntityRow, values: unknown[]): void {
  row[VALUES as never] = values as never;
}

const textKeys = new Map<string, symbol>();

/** Key under which a row has the text of its JSON column `property`; undefined for other objects. */
export function jsonTextKey(property: string): symbol {
  let key = textKeys.get(property);
  if (!key) textKeys.set(property, (key = Symbol(`text of ${property}`)));
  return key;
}

/**
 * Adds two properties for the value at an index: one parses the value when it is read, and one under `jsonTextKey`
 * returns it as `JsonText`. If the first property is overridden in a row, both return the overriding value.
 */
export function defineJsonColumn(prototype: object, property: string, index: number): void {
  Object.defineProperty(prototype, property, {
    get() {
      const values = this[VALUES];
      const value = values[index];
      if (typeof value !== 'string') return value;
      const parsed = JSON.parse(value);
      if (typeof parsed === 'object') values[index] = parsed; // all readers of the row share the object
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

/** Writes a JSON value, or its text. */
export function writeJson(value: unknown): string {
  return value instanceof JsonText ? value.text : JSON.stringify(value);
}

/** Whether `writeJson` returns the text of a column. */
export function isJsonText(value: unknown): value is JsonText {
  return value instanceof JsonText;
}
