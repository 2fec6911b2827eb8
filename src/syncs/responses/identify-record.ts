import type { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { looksAhead } from '../../catalog/model/lookahead.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { RecordIdentity } from '../../tables/records/record-identity.js';
import type { VendorRecord } from '../tap-page.js';
import { type CompletedRecord, recordKeyOf } from './complete-record.js';
import { cursorMsOf } from './cursor-value.js';
import { fieldValueOf, scalarTextOf } from './field-value.js';
import { parseLosslessJson } from './parse-lossless-json.js';

/** Times of the years 1 to 9999, which tables store. */
const [MIN_MS, MAX_MS] = ['0001-01-01', '9999-12-31'].map(Date.parse) as [number, number];

const NOT_DELETED: readonly (string | undefined)[] = [undefined, '', 'false', '0'];

/**
 * Key and version of a record. The version is the time in the cursor field, otherwise the time when the record was
 * received. A late record therefore never replaces a newer record. A date in the future is not the time of a change.
 */
export function identifyRecord(
  tap: Lean<ConnectorTap>,
  { record, key, cursor }: CompletedRecord,
  receivedAt: string,
): RecordIdentity {
  const isTime = !looksAhead(tap.sync) && cursor !== undefined && cursor >= MIN_MS && cursor <= MAX_MS;
  return { key, version: isTime ? new Date(cursor).toISOString() : receivedAt, isDeleted: isDeletion(tap, record) };
}

/** Like `identifyRecord`, for the JSON text of a pushed record. A record that is not a JSON object has no key. */
export function identifyPushedRecord(tap: Lean<ConnectorTap>, line: string, receivedAt: string): RecordIdentity {
  const record = recordIn(line);
  const { cursorField, cursorValueFormat } = tap.sync;
  const cursor = cursorField == null ? undefined : cursorMsOf(fieldValueOf(record, cursorField), cursorValueFormat);
  return identifyRecord(tap, { record, key: recordKeyOf(tap, record), cursor }, receivedAt);
}

function isDeletion({ tombstoneMarkerColumn, tombstoneValues }: Lean<ConnectorTap>, record: VendorRecord): boolean {
  if (tombstoneMarkerColumn == null) return false;
  const value = fieldValueOf(record, tombstoneMarkerColumn) ?? undefined;
  const text = typeof value === 'object' ? (scalarTextOf(value) ?? JSON.stringify(value)) : scalarTextOf(value);
  if (tombstoneValues) return text !== undefined && tombstoneValues.includes(text);
  return !NOT_DELETED.includes(text);
}

function recordIn(line: string): VendorRecord {
  try {
    return parseLosslessJson(line) as VendorRecord;
  } catch {
    return {};
  }
}
