import type { OffsetPagination, PageNumberPagination, SessionPagePagination } from '../../catalog/model/pagination.js';
import { evaluateJmesPath } from '../../kernel/formats/jmespath.js';
import { valueAtPath } from '../../kernel/formats/json-path.js';
import type { SourceCallRequest } from '../../sources/calls/call-source.js';
import type { PageToken } from '../page-token.js';
import type { TapPage } from '../tap-page.js';
import { TapReadError } from '../tap-read-error.js';

/** Advances by the number of records, because sources can lower the page size. */
export function nextOffset(
  settings: OffsetPagination,
  token: PageToken,
  request: SourceCallRequest,
  page: TapPage,
): PageToken | undefined {
  const { nextPageLinkPath, totalPath, limitParam, offsetParam } = settings;
  if (nextPageLinkPath) {
    const link = evaluateJmesPath(nextPageLinkPath, page.document);
    return typeof link === 'string' && link ? { url: link } : undefined;
  }
  const start = token.offset ?? numberIn(request, offsetParam) ?? 0;
  const offset = start + page.records.length;
  const total = totalPath ? toNumber(evaluateJmesPath(totalPath, page.document)) : undefined;
  const isLast = total === undefined ? isShort(page, numberIn(request, limitParam)) : offset >= total;
  return isLast || page.records.length === 0 ? undefined : { offset };
}

export function nextPageNumber(
  settings: PageNumberPagination,
  token: PageToken,
  request: SourceCallRequest,
  page: TapPage,
): PageToken | undefined {
  const { pageParam, pageSizeParam, totalPagesPath } = settings;
  const size = numberIn(request, pageSizeParam);
  const current = token.page ?? numberIn(request, pageParam) ?? 1;
  // Requests after the first contain the number of their page, so the token keeps the number of the first one.
  const first = token.firstPage ?? current;
  const pages = totalPagesPath ? toNumber(evaluateJmesPath(totalPagesPath, page.document)) : undefined;
  const isLast = pages === undefined ? isShort(page, size) : current - first + 1 >= pages;
  return isLast || page.records.length === 0 ? undefined : { page: current + 1, firstPage: first };
}

/** The response to the query is its first page, with number 0 unless the query contains a number. */
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
  if (pages === undefined ? isShort(page, defaultPageSize) : current - firstPage + 1 >= pages) return undefined;
  const sessionId = token.sessionId ?? evaluateJmesPath(sessionIdPath, page.document);
  if (sessionId === null || sessionId === '' || typeof sessionId === 'object')
    throw new TapReadError('contract', 'fail_tap', `The response has no session id at ${sessionIdPath}.`);
  const next = { sessionId: `${sessionId}`, page: current + 1, firstPage };
  return pages === undefined ? next : { ...next, totalPages: pages };
}

/** Whether a page has fewer records than requested. Without a page size, only an empty page is the last. */
function isShort({ records }: TapPage, size: number | undefined): boolean {
  return records.length < (size ?? 1);
}

/** The number that the request contains as a parameter of this name. */
function numberIn({ query, json }: SourceCallRequest, name: string | undefined): number | undefined {
  if (!name) return undefined;
  const inBody = valueAtPath(json, name) ?? valueAtPath(json, `variables.${name}`);
  return toNumber(query?.[name] ?? inBody);
}

function toNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
