import { evaluateJmesPath } from '../../kernel/formats/jmespath.js';
import type { PageToken } from '../page-token.js';
import type { VendorRecord } from '../tap-page.js';
import type { TapReading } from '../tap-reading.js';
import { failureOf } from './failure-table.js';
import { fieldValueOf } from './field-value.js';
import { isMissingList } from './is-missing-list.js';
import { rawNumberOf } from './parse-lossless-json.js';
import { transformRecord } from './transform-record.js';

/**
 * A single object is one record if it has the primary key (`hasKey`). A missing list is an empty page if the rest of
 * the response has the documented shape (`isMissingList`). Throws `TapReadError` for any other value that is not a list
 * of objects. The message contains only the path and the type of the value.
 */
export function extractRecords(
  reading: TapReading,
  document: unknown,
  token: PageToken | undefined,
): readonly VendorRecord[] {
  const paths = recordPathsOf(reading, token);
  if (paths.length === 0) return recordsIn(reading, document, 'the body');
  for (const path of paths) {
    const found = evaluateJmesPath(path, document);
    if (found !== null) return recordsIn(reading, found, path);
  }
  return noRecordsAt(reading, document, paths);
}

/** Throws `TapReadError` with class `contract` unless the missing list means an empty page. */
export function noRecordsAt(reading: TapReading, document: unknown, paths: readonly string[]): readonly VendorRecord[] {
  const isXml = reading.tap.responseExtraction.responseFormat === 'xml';
  if (paths.some((path) => isMissingList(path, document, { isXml }))) return [];
  throw failureOf('unexpected_shape', {
    message: `responsePath: the response has no value at ${paths.join(' or ')}, and is not an empty page.`,
  });
}

/**
 * The records are at the first path that has a value in the response. Without paths, the body is the list of records.
 */
export function recordPathsOf({ tap, option }: TapReading, token: PageToken | undefined): string[] {
  const { responsePath, responsePathFallback } = tap.responseExtraction;
  const next = token && !token.query ? option.pagination?.cursor?.nextDataPath : undefined;
  const ofQuery = token?.query?.isFinished ? tap.sync.asyncQuery?.recordsResponsePath : undefined;
  return [ofQuery ?? next ?? responsePath, responsePathFallback].filter(
    (path) => path != null && path !== '',
  ) as string[];
}

/** `before` is the number of records in the earlier parts of the list. */
export function recordsIn(reading: TapReading, found: unknown, place: string, before = 0): readonly VendorRecord[] {
  // An empty XML element is a list without elements.
  if (found === '' && reading.tap.responseExtraction.responseFormat === 'xml') return [];
  if (Array.isArray(found)) {
    const other = found.find((record) => !isObject(record));
    if (other === undefined) return found;
    const at = before + found.indexOf(other);
    throw unexpected(`element ${at + 1} of the list at ${place} is ${typeOf(other)} instead of an object.`);
  }
  if (!isObject(found)) throw unexpected(`the value at ${place} is ${typeOf(found)} instead of a list of objects.`);
  if (!hasKey(reading, found))
    throw unexpected(`the value at ${place} is not a list of objects, but one object without the primary key.`);
  return [found];
}

/**
 * Returns whether an object has the primary key, unlike an error object such as `{"message": "..."}`. Also returns true
 * if the tap has no key, or if the parent supplies the key.
 */
function hasKey(reading: TapReading, extracted: VendorRecord): boolean {
  const { tap, parentFields } = reading;
  const record = transformRecord(reading, extracted);
  const { primaryKey, syntheticPrimaryKey } = tap.responseExtraction;
  const synthetic = syntheticPrimaryKey?.outputField === primaryKey ? syntheticPrimaryKey?.fields : undefined;
  const fields = synthetic ?? (primaryKey == null ? [] : [primaryKey]);
  const own = fields.filter((field) => !Object.hasOwn(parentFields, field));
  return own.length === 0 || own.some((field) => fieldValueOf(record, field) !== undefined);
}

function isObject(value: unknown): value is VendorRecord {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && rawNumberOf(value) === undefined;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (rawNumberOf(value) !== undefined) return 'a number';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function unexpected(problem: string): Error {
  return failureOf('unexpected_shape', { message: `responsePath: ${problem}` });
}
