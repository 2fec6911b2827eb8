import type { AsyncQuery } from '../../catalog/model/tap-sync.js';
import type { SourceCallRequest } from '../../sources/calls/call-source.js';
import type { AsyncQueryToken, PageToken } from '../page-token.js';
import { TapReadError } from '../tap-read-error.js';
import type { TapReading } from '../tap-reading.js';
import { buildSessionPage } from './build-session-page.js';
import { draftRequest } from './draft-request.js';
import { encodeRequest } from './encode-request.js';
import { fillTemplates } from './fill-templates.js';
import { withPage } from './page-parameters.js';
import { atUrl, type RequestDraft } from './request-draft.js';
import { templateValues } from './template-values.js';

/** Variable in `statusEndpoint` and `recordsEndpoint`. */
const QUERY_ID = 'queryId';

/** Throws `TapReadError`. */
export function buildStatusRequest(reading: TapReading, query: AsyncQueryToken): SourceCallRequest {
  return encodeRequest(draftGet(reading, asyncQueryOf(reading).statusEndpoint), reading, { [QUERY_ID]: query.id });
}

/** For a finished query, builds the request for a page of the records, or for the next result file. */
export function buildRecordsRequest(
  reading: TapReading,
  query: AsyncQueryToken,
  token: PageToken = {},
): SourceCallRequest {
  const { recordsEndpoint, recordsPagination, recordsQueryParams = {} } = asyncQueryOf(reading);
  const draft = draftGet(reading, recordsEndpoint);
  const own = { [QUERY_ID]: query.id };
  const [file] = query.files ?? [];
  const url = file ?? token.url;
  if (url !== undefined) return encodeRequest(atUrl(draft, url), reading, own);
  if (token.sessionId !== undefined) return buildSessionPage(draft, reading, recordsPagination, token);
  const parameters = fillTemplates(recordsQueryParams, templateValues(reading, {})) as Record<string, unknown>;
  return encodeRequest(withPage({ ...draft, query: parameters }, recordsPagination, token), reading, own);
}

/** Throws `TapReadError` for a tap without an asynchronous query. */
export function asyncQueryOf({ tap }: TapReading): AsyncQuery {
  if (tap.sync.asyncQuery) return tap.sync.asyncQuery;
  throw new TapReadError('contract', 'fail_tap', 'The tap has no settings for an asynchronous query.');
}

function draftGet(reading: TapReading, endpoint: string | undefined): RequestDraft {
  if (!endpoint) throw new TapReadError('contract', 'fail_tap', 'The asynchronous query of the tap has no endpoint.');
  const { headers } = draftRequest(reading);
  return { method: 'GET', path: endpoint, headers, query: {}, isGraphql: false };
}
