import type { ConnectorTap } from '../../catalog/model/connector-tap.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { VendorRecord } from '../tap-page.js';
import type { TapReading } from '../tap-reading.js';
import { cursorMsOf } from './cursor-value.js';
import { fieldValueOf, scalarTextOf } from './field-value.js';
import { syntheticKeyOf } from './synthetic-key.js';
import { transformRecord } from './transform-record.js';

export interface CompletedRecord {
  readonly record: VendorRecord;
  /** Undefined if the record has no primary key. */
  readonly key: string | undefined;
  /** In milliseconds since 1970. Undefined if missing or unreadable. */
  readonly cursor: number | undefined;
}

export function completeRecord(reading: TapReading, extracted: VendorRecord): CompletedRecord {
  const { tap, parentFields } = reading;
  const record = transformRecord(reading, extracted);
  const { syntheticPrimaryKey } = tap.responseExtraction;
  const { cursorField, cursorValueFormat } = tap.sync;
  const withParent = hasFields(parentFields) ? { ...record, ...parentFields } : record;
  const synthetic = syntheticPrimaryKey && syntheticKeyOf(syntheticPrimaryKey, withParent);
  const output = syntheticPrimaryKey?.outputField;
  const declared = declaredFieldsOf(tap, record);
  const added = { ...parentFields, ...(output && { [output]: synthetic ?? null }) };
  const cursor = cursorField == null ? undefined : fieldValueOf(withParent, cursorField);
  return {
    record: hasFields(added) ? { ...declared, ...added } : declared,
    key: keyOf(tap, withParent, synthetic),
    cursor: cursor === undefined ? undefined : cursorMsOf(cursor, cursorValueFormat),
  };
}

/** Returns undefined if the record has no primary key. */
export function recordKeyOf(
  tap: Pick<Lean<ConnectorTap>, 'responseExtraction'>,
  record: VendorRecord,
): string | undefined {
  const { syntheticPrimaryKey } = tap.responseExtraction;
  return keyOf(tap, record, syntheticPrimaryKey && syntheticKeyOf(syntheticPrimaryKey, record));
}

function keyOf(
  { responseExtraction: { primaryKey, syntheticPrimaryKey } }: Pick<Lean<ConnectorTap>, 'responseExtraction'>,
  record: VendorRecord,
  synthetic: string | undefined,
): string | undefined {
  if (primaryKey == null) return synthetic;
  return keyTextOf(syntheticPrimaryKey?.outputField === primaryKey ? synthetic : fieldValueOf(record, primaryKey));
}

function hasFields(fields: object): boolean {
  return Object.keys(fields).length > 0;
}

/** Returns undefined for null and for an empty string. */
export function keyTextOf(value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  return scalarTextOf(value) ?? JSON.stringify(value);
}

/** Keeps unknown fields by default, so that no data is lost. */
function declaredFieldsOf({ customFields, schema }: Lean<ConnectorTap>, record: VendorRecord): VendorRecord {
  const properties = schema.properties as object | undefined;
  if (customFields?.captureUnknownFields !== false || !properties) return record;
  const patterns = (customFields.knownCustomFieldKeyPatterns ?? []).map((pattern) => new RegExp(pattern, 'u'));
  const isKnown = (name: string) => Object.hasOwn(properties, name) || patterns.some((pattern) => pattern.test(name));
  return Object.fromEntries(Object.entries(record).filter(([name]) => isKnown(name)));
}
