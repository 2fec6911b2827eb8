import type { ConnectorTap } from '../../catalog/model/connector-tap.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { RecordIdentity } from '../../tables/records/record-identity.js';
import type { VendorRecord } from '../tap-page.js';
import { keyTextOf, recordKeyOf } from './complete-record.js';
import { fieldValueOf } from './field-value.js';
import { cursorOf, isDeletion, parseRecord, versionOf } from './identify-record.js';

/** `source` is a tap whose events feed the table of the tap `target`. */
export interface RecordFeed {
  readonly source: Lean<ConnectorTap>;
  readonly target: Lean<ConnectorTap>;
}

/** Returns an empty record if the tap only lists deletions. */
export function fedRecord({ source }: RecordFeed, event: VendorRecord): VendorRecord {
  return source.feeds?.deletions ? {} : recordIn(source, event);
}

/** Like `fedRecord`, for the JSON text of a pushed event. */
export function fedLine(feed: RecordFeed, line: string): string {
  return JSON.stringify(fedRecord(feed, parseRecord(line)));
}

/**
 * The version is the cursor field of the record, or else the cursor field of the event, or else `time`. For a deletion,
 * the cursor field of the event has priority, because the deletion is later than the last change of the record.
 */
export function identifyFedRecord(feed: RecordFeed, event: VendorRecord, time: string): RecordIdentity {
  const { source, target } = feed;
  const record = recordIn(source, event);
  const isDeleted = source.feeds?.deletions === true || isDeletion(source, event) || isDeletion(target, record);
  const times = [cursorOf(target, record), cursorOf(source, event)];
  const keyField = source.feeds?.keyField;
  const key = keyField == null ? recordKeyOf(target, record) : keyTextOf(fieldValueOf(event, keyField));
  return { key, version: versionOf(isDeleted ? times.reverse() : times) ?? time, isDeleted, isFed: true };
}

export function identifyFedLine(feed: RecordFeed, line: string, receivedAt: string): RecordIdentity {
  return identifyFedRecord(feed, parseRecord(line), receivedAt);
}

function recordIn({ feeds }: Lean<ConnectorTap>, event: VendorRecord): VendorRecord {
  const record = feeds?.recordPath == null ? event : fieldValueOf(event, feeds.recordPath);
  return record !== null && typeof record === 'object' && !Array.isArray(record) ? (record as VendorRecord) : {};
}
