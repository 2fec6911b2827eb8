import { createHash } from 'node:crypto';
import type { OutboundResponse } from '../../kernel/outbound/read-response.js';
import type { PageToken } from '../page-token.js';
import { nextPageToken } from '../pages/next-page-token.js';
import { buildTapRequest } from '../requests/build-tap-request.js';
import { type CompletedRecord, completeRecord } from '../responses/complete-record.js';
import { readTapResponse } from '../responses/read-tap-response.js';
import { TapReadError } from '../tap-read-error.js';
import type { TapReading } from '../tap-reading.js';
import { callAsParent } from './call-as-parent.js';
import { sendTapRequest } from './send-tap-request.js';
import type { TapSource } from './tap-source.js';

/** The records of one response. */
export interface PageRead {
  readonly records: readonly CompletedRecord[];
  /** Position after the page; undefined if the slice is complete. */
  readonly next: PageToken | undefined;
  /** Size of the response, in bytes. */
  readonly bytes: number;
  readonly receivedAt: Date;
}

/**
 * Reads the pages of a slice from `from` on. The caller can stop after any page and continue later with its `next`.
 * Throws `TapReadError`, also for a page that equals the page before it, because the vendor would return it forever.
 */
export async function* readPages(
  source: TapSource,
  reading: TapReading,
  from: PageToken | undefined,
  signal: AbortSignal,
): AsyncGenerator<PageRead, void, undefined> {
  const parentSource = { ...source, call: callAsParent(source.call, reading) };
  let token = from;
  let previous: string | undefined;
  do {
    const { digest, ...page } = await readPage(parentSource, reading, token, signal);
    if (page.next && page.records.length > 0 && digest === previous)
      throw new TapReadError('contract', 'fail_tap', 'The source returned the same page twice in a row.');
    previous = digest;
    yield page;
    token = page.next;
  } while (token);
}

function readPage(
  source: TapSource,
  reading: TapReading,
  token: PageToken | undefined,
  signal: AbortSignal,
): Promise<PageRead & { digest: string }> {
  const request = buildTapRequest(reading, token);
  const { connector, strategy } = source.call.connection;
  const context = {
    ...(token && { token }),
    failures: strategy.verification?.failures,
    resetHeader: connector.rateLimits?.resetHeader ?? undefined,
    now: Date.now(),
  };
  const read = (response: OutboundResponse): PageRead & { digest: string } => {
    const page = readTapResponse(reading, response, context);
    return {
      records: page.records.map((record) => completeRecord(reading, record)),
      next: nextPageToken(reading, token, request, page),
      bytes: response.body.length,
      receivedAt: new Date(),
      digest: createHash('sha1').update(response.body).digest('base64'),
    };
  };
  return sendTapRequest(source, request, { read, signal });
}
