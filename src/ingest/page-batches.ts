import type { PendingBatch } from './pending-batches.js';

/** A batch that exceeds this limit forms its own page. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** The caller loads one page at a time, to limit the records in memory. */
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
