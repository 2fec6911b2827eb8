import type { MergedRecords, WaitingRecord } from '../page-token.js';
import type { CompletedRecord } from '../responses/complete-record.js';
import { failureOf } from '../responses/failure-table.js';
import { mergeRecords } from '../responses/merge-records.js';
import { parseLosslessJson } from '../responses/parse-lossless-json.js';
import type { VendorRecord } from '../tap-page.js';

const MAX_HELD = 20_000;

/** Maximum number of incomplete records in a saved position. */
const MAX_WAITING = 100;

/** `save` drops a record that is still incomplete after this number of earlier calls. */
const MAX_AGE = 10;

interface Held {
  completed: CompletedRecord;
  readonly lists: Set<number>;
  age: number;
}

/** Merges the parts of each record. Each list of fields has its own requests, which return one part of each record. */
export class MergedLists {
  readonly #incomplete = new Map<string, Held>();
  #complete: CompletedRecord[] = [];
  #count: number;
  /** Number of records that were dropped because they stayed incomplete. */
  #dropped: number;

  constructor(
    private readonly lists: number,
    { complete = 0, dropped = 0, waiting = [] }: Partial<MergedRecords> = {},
  ) {
    this.#count = complete;
    this.#dropped = dropped;
    for (const { record, key, cursor, lists: read, age } of waiting) {
      const completed = { record: parseLosslessJson(record) as VendorRecord, key, cursor };
      this.#incomplete.set(key, { completed, lists: new Set(read), age });
    }
  }

  /**
   * Throws `TapReadError` with class `contract` if the record has no key, or if more than `MAX_HELD` records are in
   * memory.
   */
  add(list: number, part: CompletedRecord): void {
    const { key } = part;
    if (key === undefined) throw differing('a record has no primary key');
    const held = this.#incomplete.get(key) ?? { completed: part, lists: new Set<number>(), age: 0 };
    if (held.lists.size > 0) held.completed = merge(held.completed, part);
    held.lists.add(list);
    if (held.lists.size === this.lists) {
      this.#incomplete.delete(key);
      this.#complete.push(held.completed);
    } else this.#incomplete.set(key, held);
    if (this.#incomplete.size + this.#complete.length > MAX_HELD)
      throw differing(
        `more than ${MAX_HELD.toLocaleString('en')} records wait in memory, because the responses contain the records in different orders`,
      );
  }

  get isEmpty(): boolean {
    return this.#incomplete.size === 0;
  }

  get canBeSaved(): boolean {
    return this.#incomplete.size <= MAX_WAITING;
  }

  take(): CompletedRecord[] {
    const records = this.#complete;
    this.#complete = [];
    this.#count += records.length;
    return records;
  }

  /** Drops records that stayed incomplete, because the source has probably deleted them. */
  save(): MergedRecords {
    for (const [key, held] of this.#incomplete) {
      held.age += 1;
      if (held.age <= MAX_AGE) continue;
      this.#incomplete.delete(key);
      this.#dropped += 1;
    }
    const waiting = [...this.#incomplete].map(toWaiting);
    return { complete: this.#count, dropped: this.#dropped, ...(waiting.length > 0 && { waiting }) };
  }

  /**
   * Throws `TapReadError` with class `contract` if most records are incomplete. Some incomplete records are normal,
   * because the source may change between the requests.
   */
  requireComplete(): void {
    if (this.#incomplete.size + this.#dropped > this.#count + this.#complete.length)
      throw differing('the response to one of these requests lacks most records');
  }
}

function toWaiting([key, { completed, lists, age }]: readonly [string, Held]): WaitingRecord {
  const { record, cursor } = completed;
  const saved = { record: JSON.stringify(record), key, lists: [...lists], age };
  return { ...saved, ...(cursor !== undefined && { cursor }) };
}

/**
 * If both parts of the record contain a field, uses the value of `one`. Keeps the older cursor, so that the next sync
 * reads a changed record again.
 */
function merge(one: CompletedRecord, other: CompletedRecord): CompletedRecord {
  const cursors = [one.cursor, other.cursor].filter((cursor) => cursor !== undefined);
  return {
    record: mergeRecords(other.record, one.record, { replacesLists: true }),
    key: one.key,
    cursor: cursors.length > 0 ? Math.min(...cursors) : undefined,
  };
}

function differing(problem: string): Error {
  return failureOf('unexpected_shape', {
    message: `The service reads the fields of the records with several requests, but cannot merge the responses: ${problem}.`,
  });
}
