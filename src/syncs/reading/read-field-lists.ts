import type { FieldListToken, MergedRecords, PageToken } from '../page-token.js';
import type { TapReading } from '../tap-reading.js';
import { MergedLists } from './merged-lists.js';
import type { PageRead } from './page-read.js';

type ReadList = (reading: TapReading, from: PageToken | undefined) => AsyncGenerator<PageRead, void, undefined>;

interface OpenList {
  readonly fieldNames: readonly string[];
  readonly pages: AsyncGenerator<PageRead, void, undefined>;
  position: PageToken | undefined;
  isDone: boolean;
  records: number;
  pagesRead: number;
  /** Whether the run has read a page of this list since the last saved position. */
  hasMoved: boolean;
}

/**
 * Reads each list of fields separately, and merges the records by key. Throws the errors of `read`. Throws
 * `TapReadError` with class `contract` if too many records stay incomplete.
 */
export async function* readFieldLists(
  reading: TapReading,
  token: NonNullable<PageToken['fieldLists']>,
  read: ReadList,
): AsyncGenerator<PageRead, void, undefined> {
  const lists = token.lists.map((list) => openList(reading, list, read));
  const merged = new MergedLists(lists.length, token);
  let bytes = 0;
  for (;;) {
    const at = leastRead(lists);
    const list = lists[at];
    if (!list) return;
    let page: PageRead | undefined;
    do {
      page = (await list.pages.next()).value ?? undefined;
      for (const record of page?.records ?? []) merged.add(at, record);
      list.records += page?.records.length ?? 0;
      bytes += page?.bytes ?? 0;
    } while (page?.isPartial);
    list.position = page?.next;
    list.isDone = !page?.next;
    list.hasMoved = true;
    list.pagesRead += 1;
    const times = { receivedAt: page?.receivedAt ?? new Date(), respondedAt: page?.respondedAt };
    if (lists.every(({ isDone }) => isDone)) {
      merged.requireComplete();
      return yield { records: merged.take(), next: undefined, bytes, ...times };
    }
    // `merged.save()` drops a record that stays incomplete for more than 10 saves. Between two saves, each unfinished
    // list must therefore read a page, which may complete the record.
    const isAligned = merged.isEmpty || lists.every(({ isDone, hasMoved }) => isDone || hasMoved);
    if (!merged.canBeSaved || !isAligned) continue;
    yield { records: merged.take(), next: positionOf(lists, merged.save()), bytes, ...times };
    bytes = 0;
    for (const other of lists) other.hasMoved = false;
  }
}

/** Returns the reading and position of the first incomplete list of fields, or the arguments if all are complete. */
export function firstList(reading: TapReading, token: PageToken): readonly [TapReading, PageToken | undefined] {
  const list = token.fieldLists?.lists.find(({ isDone }) => !isDone);
  return list ? [withFields(reading, list.fieldNames), list.position] : [reading, token];
}

function openList(
  reading: TapReading,
  { fieldNames, position, isDone = false }: FieldListToken,
  read: ReadList,
): OpenList {
  const pages = read(withFields(reading, fieldNames), position);
  return { fieldNames, pages, position, isDone, records: 0, pagesRead: 0, hasMoved: false };
}

function withFields({ wildcard, ...reading }: TapReading, fieldNames: readonly string[]): TapReading {
  return { ...reading, ...(wildcard && { wildcard: { token: wildcard.token, fieldNames } }) };
}

/**
 * Returns the index of the list with the fewest records so far. To limit the records in memory, the run reads this list
 * next. A list has no records while its asynchronous query runs, so all queries finish before the run reads the first
 * records. A later wait for a query would end the step and lose the records in memory. Returns -1 if all lists are
 * complete.
 */
function leastRead(lists: readonly OpenList[]): number {
  const open = lists.filter(({ isDone }) => !isDone);
  const [least] = open.sort((one, other) => one.records - other.records || one.pagesRead - other.pagesRead);
  return least ? lists.indexOf(least) : -1;
}

function positionOf(lists: readonly OpenList[], merged: MergedRecords): PageToken {
  const positions = lists.map(({ fieldNames, position, isDone }) => ({
    fieldNames,
    ...(position && { position }),
    ...(isDone && { isDone }),
  }));
  const records = lists.map(({ position }) => position?.records ?? 0);
  return {
    fieldLists: { lists: positions, ...merged },
    ...(Math.max(...records) > 0 && { records: Math.max(...records) }),
  };
}
