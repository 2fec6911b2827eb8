import type { PendingBatch } from './pending-batches.js';

/** What is in memory at once, in bytes, where that is more than one batch. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** The list in parts that are in memory one after the other. */
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
