import type { OutboundReply } from '../../kernel/outbound/outbound-client.js';
import { parseJsonResponse } from '../../kernel/outbound/read-response.js';
import { parseRetryAfter } from '../../sources/responses/retry-after.js';
import type { TapReadError } from '../tap-read-error.js';
import type { TapReading } from '../tap-reading.js';
import { failureByDefinition, skipByStatus } from './definition-rules.js';
import { type FailureKind, failureOf } from './failure-table.js';
import { graphqlFailureOf } from './graphql-errors.js';
import { rateLimitWaitMs, showsRateLimit } from './rate-limit-headers.js';
import type { ResponseFacts } from './response-facts.js';
import { failureByVerification, isDistinguished } from './verification-rules.js';

/** 402 means that the customer's plan at the source does not include the data. */
const BY_STATUS: Readonly<Record<number, FailureKind>> = {
  401: 'credential_rejected',
  402: 'forbidden',
  403: 'forbidden',
  404: 'not_found',
  408: 'unavailable',
  425: 'unavailable',
  429: 'rate_limited',
};

/** If a body is not JSON, rules check only this number of bytes at its start. */
const MAX_TEXT_BYTES = 64 * 1024;

/** The source may delete a parent record before the service reads its child records. */
const GONE = [404, 410];

/**
 * Statuses that mean a missing credential, if the request was redirected to another origin. A request to another origin
 * contains no credential.
 */
const REJECTIONS = [401, 403, 404];

export function failureOfResponse(reading: TapReading, reply: OutboundReply, facts: ResponseFacts): TapReadError {
  const { status, headers } = reply;
  const { now = Date.now(), failures } = facts;
  const body = parseJsonResponse(reply);
  // A timeout or server error is unrelated to the rate limit, so the reset header does not apply.
  const retryAfterMs =
    status === 408 || status >= 500
      ? parseRetryAfter(headers.get('retry-after'), now)
      : rateLimitWaitMs(headers, facts.resetHeader, now);
  const text = body === undefined ? reply.body.toString('utf8', 0, MAX_TEXT_BYTES) : undefined;
  const byDefinition = failureByDefinition(reading, { status, body, text, retryAfterMs });
  if (byDefinition) return byDefinition;
  const isForbidden = status === 403;
  const byRule = failureByVerification(failures, status, body);
  const isRateLimit = isForbidden && !byRule && (showsRateLimit(headers) || isUnmatched(facts, status, body));
  if (status === 429 || isRateLimit) return failureOf('rate_limited', { status, retryAfterMs });
  const skip = skipByStatus(reading, status);
  if (skip) return skip;
  const isForeign = facts.origin !== undefined && URL.parse(reply.url)?.origin !== facts.origin;
  if (isForeign && REJECTIONS.includes(status)) return failureOf('redirected', { status });
  const byCode = reading.option.apiType === 'graphql' ? graphqlFailureOf(body) : undefined;
  const kind =
    byRule ??
    (byCode === 'reported_error' ? undefined : byCode) ??
    kindOfStatus(status, Object.keys(reading.variables).length > 0);
  const message = kind === 'unexpected_status' ? `The source rejects the request with status ${status}.` : undefined;
  return failureOf(kind, { status, message, retryAfterMs: waits(kind) ? retryAfterMs : undefined });
}

function kindOfStatus(status: number, isChild: boolean): FailureKind {
  if (isChild && GONE.includes(status)) return 'parent_gone';
  return BY_STATUS[status] ?? (status >= 500 ? 'unavailable' : 'unexpected_status');
}

function isUnmatched({ failures }: ResponseFacts, status: number, body: unknown): boolean {
  return body !== undefined && isDistinguished(failures, status);
}

function waits(kind: FailureKind): boolean {
  return kind === 'unavailable' || kind === 'rate_limited';
}
