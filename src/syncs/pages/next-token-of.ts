import { isDeepStrictEqual } from 'node:util';
import type { Pagination } from '../../catalog/model/pagination.js';
import type { SourceCallRequest } from '../../sources/calls/call-source.js';
import type { PageToken } from '../page-token.js';
import type { TapPage } from '../tap-page.js';
import { TapReadError } from '../tap-read-error.js';
import { nextCursor } from './cursor-page.js';
import { nextLink } from './link-header.js';
import { nextOffset, nextPageNumber, nextSessionPage } from './numbered-page.js';
import { withRestart } from './restart-page.js';

/**
 * Returns undefined after the last page. Throws `TapReadError` if the response does not have the documented shape, or
 * leads to the same page again.
 */
export function nextTokenOf(
  pagination: Pagination | undefined,
  token: PageToken,
  request: SourceCallRequest,
  page: TapPage,
): PageToken | undefined {
  if (!pagination || page.isAfterLast) return undefined;
  const plain = nextByType(pagination, token, request, page);
  const next = pagination.restart ? withRestart(pagination.restart, token, page, plain) : plain;
  if (next && (next.url ?? next.cursor) !== undefined && isSamePosition(next, token))
    throw new TapReadError('contract', 'fail_tap', 'The response names its own page as the next page.');
  return next;
}

function nextByType(
  { type, lastPage, cursor = {}, offset = {}, pageNumber = {}, sessionPage = {} }: Pagination,
  token: PageToken,
  request: SourceCallRequest,
  page: TapPage,
): PageToken | undefined {
  if (lastPage === 'empty_page' && page.records.length === 0) return undefined;
  switch (type) {
    case 'link_header': {
      const url = nextLink(page.headers.get('link'));
      return url ? { url } : undefined;
    }
    case 'cursor':
      return nextCursor(cursor, token, page);
    case 'offset':
      return nextOffset({ ...offset, lastPage }, token, request, page);
    case 'page_number':
      return nextPageNumber({ ...pageNumber, lastPage }, token, request, page);
    case 'session_page':
      return nextSessionPage(sessionPage, token, request, page);
    default:
      return undefined;
  }
}

function isSamePosition(next: PageToken, token: PageToken): boolean {
  return next.url === token.url && isDeepStrictEqual(next.cursor, token.cursor);
}
