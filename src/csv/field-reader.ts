import { boundedReader, type ValueReader } from './column-type.js';
import { columnTypes } from './column-types.js';
import type { SchemaField } from './data-schema.js';

/**
 * Reads the values of a field in a whole file: null where there is none, undefined where one is not of the type, else the value in the spelling
 * that `ValueReader` describes; a String stays as it is, blanks included. Undefined itself where the field cannot be read by.
 */
export function fieldReader(field: SchemaField): ((text: string | undefined) => string | null | undefined) | undefined {
  const read: ValueReader | undefined = boundedReader(columnTypes[field.type], field);
  if (!read) return undefined;
  const nullTokens = new Set(field.nullTokens);
  return (text) => {
    const trimmed = text?.trim() ?? '';
    if (field.nullable && (trimmed === '' || nullTokens.has(trimmed.toLowerCase()))) return null;
    return field.type === 'String' ? (text ?? '') : read(trimmed);
  };
}
