import type { FieldType } from '../model/data-schema.js';
import { booleanType } from './boolean-type.js';
import type { ColumnType } from './column-type.js';
import { dateTimeOffsetType } from './date-time-offset-type.js';
import { dateTimeType } from './date-time-type.js';
import { dateType } from './date-type.js';
import { decimalType } from './decimal-type.js';
import { doubleType } from './double-type.js';
import { integerType } from './integer-type.js';
import { jsonType } from './json-type.js';
import { stringType } from './string-type.js';
import { timeType } from './time-type.js';
import { uuidType } from './uuid-type.js';

/** Types in the order of detection, narrowest first. */
export const columnTypes: Readonly<Record<FieldType, ColumnType>> = {
  Boolean: booleanType,
  Integer: integerType,
  Decimal: decimalType,
  Double: doubleType,
  Date: dateType,
  DateTime: dateTimeType,
  DateTimeOffset: dateTimeOffsetType,
  Time: timeType,
  UUID: uuidType,
  JSON: jsonType,
  String: stringType,
};

/**
 * If values do not fit the type of a column, the column falls back to the first of these types that fits, and otherwise
 * to String. No fallback loses data.
 */
export const widerTypes: Readonly<Record<FieldType, readonly FieldType[]>> = {
  Boolean: [],
  Integer: ['Decimal', 'Double'],
  Decimal: ['Double'],
  Double: [],
  Date: ['DateTime'],
  DateTime: [],
  DateTimeOffset: [],
  Time: [],
  UUID: [],
  JSON: [],
  String: [],
};
