import type { SourceCallRequest } from '../../sources/calls/call-source.js';
import type { PageToken } from '../page-token.js';
import type { TapPage } from '../tap-page.js';
import type { TapReading } from '../tap-reading.js';
import { nextOfQuery } from './async-query.js';
import { nextTokenOf } from './next-token-of.js';
import { belowResultCap } from './result-cap.js';

/**
 * Returns the position after `page`, or undefined after the last page. `token` is the position of `page`, and `request`
 * is the request for this page. Throws `TapReadError` if the response does not have the documented shape, or leads to
 * the same page again.
 */
export function nextPageToken(
  reading: TapReading,
  token: PageToken | undefined,
  request: SourceCallRequest,
  page: TapPage,
): PageToken | undefined {
  if (token?.query) return nextOfQuery(reading, token, token.query, request, page);
  const { pagination } = reading.option;
  const next = nextTokenOf(pagination, token ?? {}, request, page);
  // The service splits the time window of a query with too many records. Without a window, it cannot split the query.
  // The trial of a tap has no window, and reads only the first page.
  return pagination?.maxRecords != null && reading.window ? belowResultCap(pagination, token ?? {}, page, next) : next;
}
