import type { SourceCallRequest } from '../../sources/calls/call-source.js';
import type { PageToken } from '../page-token.js';
import type { TapReading } from '../tap-reading.js';
import { buildRecordsRequest, buildStatusRequest } from './async-query-requests.js';
import { buildSessionPage } from './build-session-page.js';
import { draftRequest } from './draft-request.js';
import { encodeRequest } from './encode-request.js';
import { withPage } from './page-parameters.js';
import { atUrl } from './request-draft.js';

/** Without a token, builds the request of the first page. Throws `TapReadError`. */
export function buildTapRequest(reading: TapReading, token: PageToken = {}): SourceCallRequest {
  const { pagination } = reading.option;
  const { query } = token;
  if (query) return query.isFinished ? buildRecordsRequest(reading, query, token) : buildStatusRequest(reading, query);
  const first = draftRequest(reading);
  if (token.sessionId !== undefined) return buildSessionPage(first, reading, pagination, token);
  if (token.url !== undefined) return encodeRequest(atUrl(first, token.url), reading);
  return encodeRequest(withPage(first, pagination, token), reading);
}
