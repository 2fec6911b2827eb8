import { evaluateJmesPath } from '../../kernel/formats/jmespath.js';
import type { SourceCallRequest } from '../../sources/calls/call-source.js';
import type { AsyncQueryToken, PageToken } from '../page-token.js';
import { asyncQueryOf } from '../requests/async-query-requests.js';
import type { TapPage } from '../tap-page.js';
import { TapReadError } from '../tap-read-error.js';
import type { TapReading } from '../tap-reading.js';
import { nextTokenOf } from './next-token-of.js';

const DEFAULT_INTERVAL_SECONDS = 10;
const DEFAULT_MAX_SECONDS = 3_600;

export type QueryStatus = 'running' | 'finished' | 'failed';

/** Throws `TapReadError` if the response has no query id. */
export function startedQuery(reading: TapReading, document: unknown, startedAt: number): PageToken {
  const { queryIdPath = 'id' } = asyncQueryOf(reading);
  const id = evaluateJmesPath(queryIdPath, document);
  if ((typeof id !== 'string' && typeof id !== 'number') || id === '')
    throw new TapReadError('contract', 'fail_tap', `The response has no query id at ${queryIdPath}.`);
  return { query: { id: `${id}`, startedAt, isFinished: false } };
}

/** A status that the definition does not list means that the query is still running. */
export function readQueryStatus(reading: TapReading, document: unknown): QueryStatus {
  const { statusPath = 'status', successValue, failureValue, failureValues = [] } = asyncQueryOf(reading);
  const status = evaluateJmesPath(statusPath, document);
  if (status === null) return 'running';
  if (`${status}` === successValue) return 'finished';
  return [failureValue, ...failureValues].includes(`${status}`) ? 'failed' : 'running';
}

export function pollingOf(reading: TapReading): { intervalMs: number; timeoutMs: number } {
  const { pollIntervalSeconds = DEFAULT_INTERVAL_SECONDS, maxPollSeconds = DEFAULT_MAX_SECONDS } =
    asyncQueryOf(reading);
  return { intervalMs: pollIntervalSeconds * 1_000, timeoutMs: maxPollSeconds * 1_000 };
}

/**
 * Returns whether the request with this token returns a JSON list of result files. Such a response contains no records.
 */
export function isFileList(reading: TapReading, { query }: PageToken): boolean {
  return Boolean(asyncQueryOf(reading).externalLinksPath && query?.isFinished && !query.files?.length);
}

/**
 * Returns the position of the next result file. After the last file, returns the position of the next page of records
 * or files. Returns undefined after the last page.
 */
export function nextOfQuery(
  reading: TapReading,
  token: PageToken,
  query: AsyncQueryToken,
  request: SourceCallRequest,
  page: TapPage,
): PageToken | undefined {
  const { files = [], ...started } = query;
  if (files.length > 1) return { ...token, query: { ...started, files: files.slice(1) } };
  // While the run reads the files of one file list, `token.url` stores the URL of the next file list.
  if (files.length === 1) return token.url === undefined ? undefined : { url: token.url, query: started };
  const { externalLinksPath = '', recordsPagination } = asyncQueryOf(reading);
  const next = nextTokenOf(recordsPagination, token, request, page);
  const links = isFileList(reading, token) ? linksIn(page, externalLinksPath) : [];
  if (links.length > 0) return { ...next, query: { ...started, files: links } };
  return next && { ...next, query: started };
}

function linksIn({ document }: TapPage, path: string): string[] {
  const links = evaluateJmesPath(path, document);
  return Array.isArray(links) ? links.filter((link) => typeof link === 'string' && link !== '') : [];
}
