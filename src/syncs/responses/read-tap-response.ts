import type { ResponseFormat } from '../../catalog/model/response-extraction.js';
import type { OutboundReply } from '../../kernel/outbound/outbound-client.js';
import { isHtmlResponse } from '../../sources/responses/is-html-response.js';
import type { TapPage, VendorRecord } from '../tap-page.js';
import type { TapReading } from '../tap-reading.js';
import { decodeBody } from './decode-body.js';
import { extractRecords } from './extract-records.js';
import { failureOfResponse } from './failure-of-response.js';
import { failureOf } from './failure-table.js';
import { rateLimitWaitMs } from './rate-limit-headers.js';
import { reportedFailureOf } from './reported-failure.js';
import type { ResponseFacts } from './response-facts.js';

/** RFC 9110, sections 15.3.5 and 15.3.6. */
const WITHOUT_BODY = [204, 205];

/** Throws `TapReadError` for a response without a page. */
export function readTapResponse(
  reading: TapReading,
  reply: OutboundReply,
  facts: ResponseFacts = {},
): TapPage & { readonly records: readonly VendorRecord[] } {
  if (isAfterLastPage(reading, reply.status, facts))
    return { document: null, headers: reply.headers, records: [], isAfterLast: true };
  const document = readTapDocument(reading, reply, reading.tap.responseExtraction.responseFormat ?? 'json', facts);
  const records = hasBody(reply) ? extractRecords(reading, document, facts.token) : [];
  return { document, headers: reply.headers, records };
}

/**
 * Returns whether the status means that the previous page was the last page. On the first page, such a status is a
 * failure.
 */
export function isAfterLastPage({ option, tap }: TapReading, status: number, { token }: ResponseFacts): boolean {
  const pagination = token?.query ? tap.sync.asyncQuery?.recordsPagination : option.pagination;
  return token !== undefined && pagination?.endStatuses?.includes(status) === true;
}

/** Throws `TapReadError`. */
export function readTapDocument(
  reading: TapReading,
  reply: OutboundReply,
  format: ResponseFormat,
  facts: ResponseFacts = {},
): unknown {
  requireData(reading, reply, facts);
  if (!hasBody(reply)) return null;
  const document = decodeBody(reading, reply, format);
  // A list of rows has no field for an error.
  if (format !== 'csv' && format !== 'jsonl') requireNoReportedFailure(reading, reply, document, facts);
  return document;
}

export function hasBody({ status }: Pick<OutboundReply, 'status'>): boolean {
  return !WITHOUT_BODY.includes(status);
}

/** Throws the failure of a response with a status other than 2xx, or with an HTML page. */
export function requireData(reading: TapReading, reply: OutboundReply, facts: ResponseFacts): void {
  const { status } = reply;
  if (status < 200 || status > 299) throw failureOfResponse(reading, reply, facts);
  if (hasBody(reply) && isHtmlResponse(reply)) throw failureOf('html_page', { status });
}

export function requireNoReportedFailure(
  reading: TapReading,
  { status, headers }: Pick<OutboundReply, 'status' | 'headers'>,
  body: unknown,
  facts: ResponseFacts,
): void {
  const retryAfterMs = rateLimitWaitMs(headers, facts.resetHeader, facts.now ?? Date.now());
  const reported = reportedFailureOf(reading, { status, body, retryAfterMs }, facts);
  if (reported) throw reported;
}
