import type { FieldType } from '../../csv/model/data-schema.js';
import { jsonReaders, textReaders } from './json-value.js';

/** Converts a non-null value to the text of a column. Returns undefined if the value does not fit the type. */
export type ValueReader = (value: unknown) => string | undefined;

const readText =
  (read: (text: string) => string | undefined): ValueReader =>
  (value) =>
    typeof value === 'string' ? read(value) : undefined;

/** Reads a value as its JSON text. `JSON.rawJSON` objects therefore keep all digits. */
const readAsJson =
  (type: FieldType): ValueReader =>
  (value) =>
    jsonReaders[type](JSON.stringify(value));

/**
 * Like `jsonReaders`, for parsed values. The results are the same, but most of these readers do not create JSON text.
 */
export const valueReaders: Readonly<Record<FieldType, ValueReader>> = {
  String: readText((text) => (text.isWellFormed() ? text : undefined)),
  Boolean: (value) => (typeof value === 'boolean' ? String(value) : undefined),
  Integer: (value) => (Number.isSafeInteger(value) ? String(value) : readAsJson('Integer')(value)),
  Decimal: readAsJson('Decimal'),
  Double: (value) => (Number.isFinite(value) ? String(value) : readAsJson('Double')(value)),
  Date: readText(textReaders.Date),
  DateTime: readText(textReaders.DateTime),
  DateTimeOffset: readText(textReaders.DateTimeOffset),
  Time: readText(textReaders.Time),
  UUID: readText(textReaders.UUID),
  JSON: (value) => JSON.stringify(value),
};
