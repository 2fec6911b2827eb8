import type { Pagination } from '../../catalog/model/pagination.js';
import type { SourceCallRequest } from '../../sources/calls/call-source.js';
import type { PageToken } from '../page-token.js';
import type { TapReading } from '../tap-reading.js';
import { draftRequest } from './draft-request.js';
import { encodeRequest } from './encode-request.js';
import { withPage } from './page-parameters.js';
import type { RequestDraft } from './request-draft.js';

/** Builds the request of one page; the first one without a token. Throws `TapReadError`. */
export function buildTapRequest(reading: TapReading, token: PageToken = {}): SourceCallRequest {
  const { pagination } = reading.option;
  const first = draftRequest(reading);
  if (token.sessionId !== undefined) return buildSessionPage(first, reading, pagination, token);
  if (token.url !== undefined) return encodeRequest(atUrl(first, token.url), reading);
  return encodeRequest(withPage(first, pagination, token), reading);
}

/** The request with the URL of a response, which already contains all query parameters. */
function atUrl(draft: RequestDraft, url: string): RequestDraft {
  if (!url.startsWith('?')) return { ...draft, path: url, query: {} };
  const parameters = new URLSearchParams(url);
  return { ...draft, query: Object.fromEntries([...parameters.keys()].map((name) => [name, parameters.getAll(name)])) };
}

function buildSessionPage(
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
