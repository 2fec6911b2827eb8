import type { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { looksAhead } from '../../catalog/model/lookahead.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { RecordIdentity } from '../../tables/records/record-identity.js';
import type { VendorRecord } from '../tap-page.js';
import { type CompletedRecord, recordKeyOf } from './complete-record.js';
import { cursorMsOf } from './cursor-value.js';
import { fieldValueOf, scalarTextOf } from './field-value.js';
import { parseLosslessJson } from './parse-lossless-json.js';

/** Tables can store times of the years 1 to 9999. */
const [MIN_MS, MAX_MS] = ['0001-01-01', '9999-12-31'].map(Date.parse) as [number, number];

const NOT_DELETED: readonly (string | undefined)[] = [undefined, '', 'false', '0'];

/**
 * The version is the value of the cursor field. If the field contains no time, or can contain a date in the future
 * (`looksAhead`), the version is `time`. `time` is the time of the vendor's response or of the push. A record that the
 * service processes late therefore never replaces a newer record.
 */
export function identifyRecord(
  tap: Lean<ConnectorTap>,
  { record, key, cursor }: CompletedRecord,
  time: string,
): RecordIdentity {
  const version = versionOf([looksAhead(tap.sync) ? undefined : cursor]) ?? time;
  return { key, version, isDeleted: isDeletion(tap, record) };
}

/** Like `identifyRecord`, for JSON text. A record that is not a JSON object has no key. */
export function identifyPushedRecord(tap: Lean<ConnectorTap>, line: string, receivedAt: string): RecordIdentity {
  const record = parseRecord(line);
  return identifyRecord(tap, { record, key: recordKeyOf(tap, record), cursor: cursorOf(tap, record) }, receivedAt);
}

/**
 * In milliseconds since 1970. Returns undefined if the cursor field can be a date in the future (`looksAhead`), because
 * such a date is not the time of a change.
 */
export function cursorOf({ sync }: Lean<ConnectorTap>, record: VendorRecord): number | undefined {
  const { cursorField, cursorValueFormat } = sync;
  if (cursorField == null || looksAhead(sync)) return undefined;
  return cursorMsOf(fieldValueOf(record, cursorField), cursorValueFormat);
}

/**
 * Returns the first element of `times` that a table can store, in ISO 8601. Returns undefined if a table can store none
 * of them.
 */
export function versionOf(times: readonly (number | undefined)[]): string | undefined {
  const ms = times.find((time) => time !== undefined && time >= MIN_MS && time <= MAX_MS);
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

export function isDeletion(
  { tombstoneMarkerColumn, tombstoneValues }: Lean<ConnectorTap>,
  record: VendorRecord,
): boolean {
  if (tombstoneMarkerColumn == null) return false;
  const value = fieldValueOf(record, tombstoneMarkerColumn) ?? undefined;
  const text = typeof value === 'object' ? (scalarTextOf(value) ?? JSON.stringify(value)) : scalarTextOf(value);
  if (tombstoneValues) return text !== undefined && tombstoneValues.includes(text);
  return !NOT_DELETED.includes(text);
}

/** Returns `{}` for a line that is not valid JSON. */
export function parseRecord(line: string): VendorRecord {
  try {
    return parseLosslessJson(line) as VendorRecord;
  } catch {
    return {};
  }
}
