import type { Pagination } from '../../catalog/model/pagination.js';
import type { PageToken } from '../page-token.js';
import { failureOf } from '../responses/failure-table.js';
import type { TapPage } from '../tap-page.js';
import { totalOf } from './numbered-page.js';

/**
 * Throws `TapReadError` with action `split_window` if the query has at least `maxRecords` results. Sources report no
 * further page at their limit, so such a query may match more records than the source returns.
 */
export function belowResultCap(
  { maxRecords = Number.POSITIVE_INFINITY, offset, pageNumber }: Pagination,
  token: PageToken,
  page: TapPage,
  next: PageToken | undefined,
): PageToken | undefined {
  const records = (token.records ?? 0) + page.records.length;
  const total = totalOf({ ...offset, ...pageNumber }, page) ?? 0;
  if (Math.max(records, total) >= maxRecords)
    throw failureOf('result_cap', {
      message: `The source returns at most ${maxRecords} records for one query, and a shorter window is not possible.`,
    });
  return next && { ...next, records };
}
