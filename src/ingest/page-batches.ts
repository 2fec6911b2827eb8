import type { PendingBatch } from './pending-batches.js';

/** Size of a page. A single larger batch forms a page alone. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** Splits the list into pages, so that one page at a time is in memory. */
export function* pageBatches(list: readonly PendingBatch[]): Generator<readonly PendingBatch[]> {
  let page: PendingBatch[] = [];
  let size = 0;
  for (const batch of list) {
    if (page.length > 0 && size + batch.size > MAX_PAGE_BYTES) {
      yield page;
      page = [];
      size = 0;
    }
    page.push(batch);
    size += batch.size;
  }
  if (page.length > 0) yield page;
}
