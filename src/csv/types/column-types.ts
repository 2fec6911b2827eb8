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

/** In the order in which they are tried: the first one that fits is the narrowest. */
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

/** What a column moves on to whose type refuses values, nearest first; String where nothing of it fits. Nothing is lost on the way. */
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
