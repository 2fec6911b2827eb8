import type { SourceCallRequest } from '../../sources/calls/call-source.js';
import type { PageToken } from '../page-token.js';
import type { TapPage } from '../tap-page.js';
import type { TapReading } from '../tap-reading.js';
import { nextOfQuery } from './async-query.js';
import { nextTokenOf } from './next-token-of.js';
import { belowResultCap } from './result-cap.js';

/**
 * `token` and `request` belong to `page`. Returns undefined after the last page. Throws `TapReadError` if the response
 * does not have the documented shape, or leads to the same page again.
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
  // The service can split a query with too many records only if it has a window. The trial of a tap has no window, and
  // reads only the first page.
  return pagination?.maxRecords != null && reading.window ? belowResultCap(pagination, token ?? {}, page, next) : next;
}
