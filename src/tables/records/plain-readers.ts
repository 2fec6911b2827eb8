import type { FieldType } from '../../csv/model/data-schema.js';
import { acceptanceCheckOf } from '../staging/column-type.js';
import { isAmbiguous } from '../staging/staging-format.js';
import type { ValueReader } from './value-readers.js';

/**
 * Maximum lengths of times with at most 6 decimal places of a second. Readers reject times with more decimal places.
 */
const [MAX_UTC_CHARACTERS, MAX_OFFSET_CHARACTERS] = [
  '2026-01-31T10:00:00.123456Z',
  '2026-01-31T10:00:00.123456+02:00',
].map(({ length }) => length) as [number, number];

const undecided = (): undefined => undefined;

/**
 * Reads the usual values of a type in one pass. The resulting strings fit their column exactly, and need no escape in a
 * staging file. Returns undefined for any other value. For such values, `valueReaders` and the checks of `StagingArea`
 * decide whether they fit the column.
 */
export const plainReaders: Readonly<Record<FieldType, ValueReader>> = {
  String: (value) => (typeof value === 'string' && value.isWellFormed() && !isAmbiguous(value) ? value : undefined),
  Boolean: (value) => (typeof value === 'boolean' ? String(value) : undefined),
  Integer: (value) => (Number.isSafeInteger(value) ? String(value) : undefined),
  Decimal: undecided,
  Double: (value) => (Number.isFinite(value) ? String(value) : undefined),
  Date: readAccepted('Date'),
  DateTime: undecided,
  DateTimeOffset: readAccepted(
    'DateTimeOffset',
    (text) => text.length <= (text.endsWith('Z') ? MAX_UTC_CHARACTERS : MAX_OFFSET_CHARACTERS),
  ),
  Time: undecided,
  UUID: undecided,
  JSON: (value) => JSON.stringify(value), // `JSON.stringify` escapes control characters.
};

function readAccepted(type: FieldType, isUsual: (text: string) => boolean = () => true): ValueReader {
  const accepts = acceptanceCheckOf({ name: type, type });
  if (!accepts) throw new TypeError(`any text is a ${type}`);
  return (value) => (typeof value === 'string' && isUsual(value) && accepts(value) ? value : undefined);
}
