import { rawNumberOf } from './parse-lossless-json.js';

/**
 * A path with dots, such as `fields.updated`, refers to a nested field, unless a field has the whole path as its name.
 * Returns undefined for a missing field.
 */
export function fieldValueOf(record: unknown, path: string): unknown {
  if (record === null || typeof record !== 'object') return undefined;
  if (Object.hasOwn(record, path)) return (record as Record<string, unknown>)[path];
  let value: unknown = record;
  for (const name of path.split('.')) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** Returns the text of a string, number or boolean, with all digits. Returns undefined for other values. */
export function scalarTextOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return rawNumberOf(value);
}
