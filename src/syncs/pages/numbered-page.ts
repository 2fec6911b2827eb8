import type {
  LastPage,
  OffsetPagination,
  PageNumberPagination,
  SessionPagePagination,
} from '../../catalog/model/pagination.js';
import { evaluateJmesPath, matchesJmesPath } from '../../kernel/formats/jmespath.js';
import { valueAtPath } from '../../kernel/formats/json-path.js';
import type { SourceCallRequest } from '../../sources/calls/call-source.js';
import type { PageToken } from '../page-token.js';
import type { TapPage } from '../tap-page.js';
import { TapReadError } from '../tap-read-error.js';

type Ending = { readonly lastPage?: LastPage | undefined };

/**
 * Increases the offset by the number of records, not by the page size, because sources can lower the page size. Throws
 * `TapReadError` if the response announces another page, but contains no records.
 */
export function nextOffset(
  settings: OffsetPagination & Ending,
  token: PageToken,
  request: SourceCallRequest,
  page: TapPage,
): PageToken | undefined {
  const { nextPageLinkPath, limitParam, offsetParam, hasMorePath } = settings;
  if (nextPageLinkPath) {
    const link = evaluateJmesPath(nextPageLinkPath, page.document);
    return typeof link === 'string' && link ? { url: link } : undefined;
  }
  const start = token.offset ?? numberIn(request, offsetParam) ?? 0;
  const offset = start + page.records.length;
  if (hasMorePath) {
    if (!matchesJmesPath(hasMorePath, page.document)) return undefined;
    if (page.records.length > 0) return { offset };
    throw new TapReadError('contract', 'fail_tap', 'The response announces another page, but contains no records.');
  }
  const total = totalOf(settings, page);
  const isLast = total === undefined ? isShort(page, settings, numberIn(request, limitParam)) : offset >= total;
  return isLast || page.records.length === 0 ? undefined : { offset };
}

export function nextPageNumber(
  settings: PageNumberPagination & Ending,
  token: PageToken,
  request: SourceCallRequest,
  page: TapPage,
): PageToken | undefined {
  const { pageParam, pageSizeParam, hasMorePath } = settings;
  const size = numberIn(request, pageSizeParam);
  const current = token.page ?? numberIn(request, pageParam) ?? 1;
  // Later requests contain the number of their own page, so the token stores the number of the first page.
  const first = token.firstPage ?? current;
  const next = { page: current + 1, firstPage: first };
  if (hasMorePath) return matchesJmesPath(hasMorePath, page.document) ? next : undefined;
  const pages = pagesOf(settings, page);
  const total = totalOf(settings, page);
  if (pages === undefined && total !== undefined) {
    const records = (token.records ?? 0) + page.records.length;
    return records >= total || page.records.length === 0 ? undefined : { ...next, records };
  }
  const isLast = pages === undefined ? isShort(page, settings, size) : current - first + 1 >= pages;
  return isLast || page.records.length === 0 ? undefined : next;
}

/**
 * The response to the first request is the first page. Its number is 0 unless that request contains a page number.
 * Throws `TapReadError` if the response has no session id.
 */
export function nextSessionPage(
  settings: SessionPagePagination,
  token: PageToken,
  request: SourceCallRequest,
  page: TapPage,
): PageToken | undefined {
  const { sessionIdPath = '', totalPagesPath, pageParam, defaultPageSize } = settings;
  const firstPage = token.firstPage ?? numberIn(request, pageParam) ?? 0;
  const current = token.page ?? firstPage;
  const pages =
    token.totalPages ?? (totalPagesPath ? toNumber(evaluateJmesPath(totalPagesPath, page.document)) : undefined);
  if (pages === undefined ? isShort(page, {}, defaultPageSize) : current - firstPage + 1 >= pages) return undefined;
  const sessionId = token.sessionId ?? evaluateJmesPath(sessionIdPath, page.document);
  if (sessionId === null || sessionId === '' || typeof sessionId === 'object')
    throw new TapReadError('contract', 'fail_tap', `The response has no session id at ${sessionIdPath}.`);
  const next = { sessionId: `${sessionId}`, page: current + 1, firstPage };
  return pages === undefined ? next : { ...next, totalPages: pages };
}

/**
 * Returns whether a page has fewer records than requested. If the page size is unknown, or if `lastPage` is
 * `empty_page`, only an empty page is short.
 */
function isShort({ records }: TapPage, { lastPage }: Ending, size: number | undefined): boolean {
  return records.length < (lastPage === 'empty_page' ? 1 : (size ?? 1));
}

export interface Totals {
  readonly totalPath?: string;
  readonly totalHeader?: string;
}

export function totalOf({ totalPath, totalHeader }: Totals, { document, headers }: TapPage): number | undefined {
  const inBody = totalPath ? evaluateJmesPath(totalPath, document) : undefined;
  return toNumber(inBody ?? (totalHeader ? headers.get(totalHeader) : undefined));
}

function pagesOf({ totalPagesPath, totalPagesHeader }: PageNumberPagination, page: TapPage): number | undefined {
  return totalOf(
    {
      ...(totalPagesPath && { totalPath: totalPagesPath }),
      ...(totalPagesHeader && { totalHeader: totalPagesHeader }),
    },
    page,
  );
}

function numberIn({ query, json }: SourceCallRequest, name: string | undefined): number | undefined {
  if (!name) return undefined;
  const inBody = valueAtPath(json, name) ?? valueAtPath(json, `variables.${name}`);
  return toNumber(query?.[name] ?? inBody);
}

function toNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
