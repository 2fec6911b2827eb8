import { matchesJmesPath } from '../../kernel/formats/jmespath.js';
import type { CompletedRecord } from '../responses/complete-record.js';
import { failureOf } from '../responses/failure-table.js';
import { mergeRecords } from '../responses/merge-records.js';
import type { TapReading } from '../tap-reading.js';
import type { PageRead } from './page-read.js';

/** Maximum number of incomplete records in memory. */
const MAX_RECORDS = 10_000;

/** Merges the parts of a record that a vendor returns on several pages. */
export class RecordParts {
  readonly #path: string | undefined;
  #records = new Map<string, CompletedRecord>();
  #bytes = 0;

  constructor({ tap }: TapReading) {
    this.#path = tap.responseExtraction.recordParts?.completePath;
  }

  /** Throws `TapReadError` with class `contract` for too many incomplete records. */
  *take(page: PageRead, document: unknown): Generator<PageRead> {
    if (this.#path === undefined) return yield page;
    for (const record of page.records) this.#add(record);
    this.#bytes += page.bytes;
    // Yields no position while records are incomplete, because a sync that resumed there would lose their first parts.
    if (page.isPartial || (page.next && !matchesJmesPath(this.#path, document))) return;
    yield { ...page, records: [...this.#records.values()], bytes: this.#bytes };
    this.#records = new Map();
    this.#bytes = 0;
  }

  #add(part: CompletedRecord): void {
    const key = part.key ?? JSON.stringify(part.record);
    const before = this.#records.get(key);
    this.#records.set(key, before ? mergedOf(before, part) : part);
    if (this.#records.size > MAX_RECORDS)
      throw failureOf('unexpected_shape', {
        message: `More than ${MAX_RECORDS.toLocaleString('en')} records still lack parts from later pages.`,
      });
  }
}

function mergedOf(before: CompletedRecord, part: CompletedRecord): CompletedRecord {
  const record = mergeRecords(before.record, part.record);
  return { record, key: before.key, cursor: part.cursor ?? before.cursor };
}
