import type { ValueReader } from '../formats/column-format.js';
import type { SchemaField } from '../model/data-schema.js';
import { createBoundedReader } from './column-type.js';
import { columnTypes } from './column-types.js';

export type FieldReader = (text: string | undefined) => string | null | undefined;

/**
 * Reads the values of a field in a whole file: null where there is none, undefined where one is not of the type, else the value in the spelling
 * that `ValueReader` describes; a String stays as it is, blanks included. Undefined itself where the field cannot be read by.
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

/** Whether a trimmed text means that there is no value. */
function nullTest(nullTokens: readonly string[]): (trimmed: string) => boolean {
  if (nullTokens.length === 0) return (trimmed) => trimmed === '';
  const tokens = new Set(['', ...nullTokens]);
  // Of few characters more than one is the lower case, and of none it is shorter by more than half.
  const longest = 3 * Math.max(...nullTokens.map(({ length }) => length));
  return (trimmed) => trimmed.length <= longest && tokens.has(trimmed.toLowerCase());
}
