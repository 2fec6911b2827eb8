import type { Pagination } from '../../catalog/model/pagination.js';
import type { SourceCallRequest } from '../../sources/calls/call-source.js';
import type { PageToken } from '../page-token.js';
import type { TapReading } from '../tap-reading.js';
import { encodeRequest } from './encode-request.js';
import type { RequestDraft } from './request-draft.js';

/** Builds the request for a page of a result that the vendor stores. */
export function buildSessionPage(
  { headers, path }: RequestDraft,
  reading: TapReading,
  pagination: Pagination | undefined,
  { sessionId = '', page }: PageToken,
): SourceCallRequest {
  const { pagePath = path, pageParam, sessionIdParam } = pagination?.sessionPage ?? {};
  const isInPath = sessionIdParam && pagePath.includes(`{${sessionIdParam}}`);
  const query = {
    ...(sessionIdParam && !isInPath && { [sessionIdParam]: sessionId }),
    ...(pageParam && { [pageParam]: page }),
  };
  const draft = { method: 'GET', path: pagePath, headers, query, isGraphql: false };
  return encodeRequest(draft, reading, isInPath ? { [sessionIdParam]: sessionId } : {});
}
