import type { WaitingBatch } from './waiting-batches.js';

/** What is in memory at once, in bytes, where that is more than one batch. */
const PAGE_SIZE = 4 * 1024 * 1024;

/** The list in parts that are in memory one after the other. */
export function* pagesOf(list: readonly WaitingBatch[]): Generator<readonly WaitingBatch[]> {
  let page: WaitingBatch[] = [];
  let size = 0;
  for (const batch of list) {
    if (page.length > 0 && size + batch.size > PAGE_SIZE) {
      yield page;
      page = [];
      size = 0;
    }
    page.push(batch);
    size += batch.size;
  }
  if (page.length > 0) yield page;
}
