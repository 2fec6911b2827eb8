import type { ResponseFormat } from '../../catalog/model/response-extraction.js';
import type { OutboundReply } from '../../kernel/outbound/outbound-client.js';
import { isHtmlResponse } from '../../sources/responses/is-html-response.js';
import type { TapPage } from '../tap-page.js';
import type { TapReading } from '../tap-reading.js';
import { decodeBody } from './decode-body.js';
import { extractRecords } from './extract-records.js';
import { failureOfResponse } from './failure-of-response.js';
import { failureOf } from './failure-table.js';
import { rateLimitWaitMs } from './rate-limit-headers.js';
import { reportedFailureOf } from './reported-failure.js';
import type { ResponseFacts } from './response-facts.js';

/** Statuses of responses without a body (RFC 9110, sections 15.3.5 and 15.3.6). */
const WITHOUT_BODY = [204, 205];

/** Reads the page in a response. Throws `TapReadError` for a response without a page. */
export function readTapResponse(reading: TapReading, reply: OutboundReply, facts: ResponseFacts = {}): TapPage {
  const document = readTapDocument(reading, reply, reading.tap.responseExtraction.responseFormat ?? 'json', facts);
  const records = WITHOUT_BODY.includes(reply.status) ? [] : extractRecords(reading, document, facts.token);
  return { document, headers: reply.headers, records };
}

/** Reads the body of a successful response, for example of the status of a query. Throws `TapReadError`. */
export function readTapDocument(
  reading: TapReading,
  reply: OutboundReply,
  format: ResponseFormat,
  facts: ResponseFacts = {},
): unknown {
  const { status, headers } = reply;
  if (status < 200 || status > 299) throw failureOfResponse(reading, reply, facts);
  if (WITHOUT_BODY.includes(status)) return null;
  if (isHtmlResponse(reply)) throw failureOf('html_page', { status });
  const document = decodeBody(reading, reply, format, facts.maxBytes);
  const retryAfterMs = rateLimitWaitMs(headers, facts.resetHeader, facts.now ?? Date.now());
  // A list of rows has no field for an error.
  const isRows = format === 'csv' || format === 'jsonl';
  const reported = isRows ? undefined : reportedFailureOf(reading, { status, body: document, retryAfterMs }, facts);
  if (reported) throw reported;
  return document;
}
