import type { ValueReader } from '../formats/column-format.js';
import type { SchemaField } from '../model/data-schema.js';
import { createBoundedReader } from './column-type.js';
import { columnTypes } from './column-types.js';

export type FieldReader = (text: string | undefined) => string | null | undefined;

/**
 * Creates a reader of the values of a field, or returns undefined if the format of the field is invalid. The reader
 * returns null for a missing value, undefined for a value that does not fit the type, and otherwise the value in the
 * format of `ValueReader`. Strings keep their blanks.
 */
export function createFieldReader(field: SchemaField): FieldReader | undefined {
  const read: ValueReader | undefined = createBoundedReader(columnTypes[field.type], field);
  if (!read) return undefined;
  const isText = field.type === 'String';
  if (!field.nullable) return isText ? (text = '') => text : (text = '') => read(text.trim());
  const isNull = nullTest(field.nullTokens ?? []);
  return (text = '') => {
    const trimmed = text.trim();
    if (isNull(trimmed)) return null;
    return isText ? text : read(trimmed);
  };
}

function nullTest(nullTokens: readonly string[]): (trimmed: string) => boolean {
  if (nullTokens.length === 0) return (trimmed) => trimmed === '';
  const tokens = new Set(['', ...nullTokens]);
  // Conversion to lower case changes the length of few characters, at most by a factor of 3.
  const longest = 3 * Math.max(...nullTokens.map(({ length }) => length));
  return (trimmed) => trimmed.length <= longest && tokens.has(trimmed.toLowerCase());
}

/** Throws a TypeError if the format of the field is invalid. */
export function requireFieldReader(field: SchemaField): FieldReader {
  const read = createFieldReader(field);
  if (!read) throw new TypeError(`the format of field "${field.name}" is invalid for the type ${field.type}`);
  return read;
}
