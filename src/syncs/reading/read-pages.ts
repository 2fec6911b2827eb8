import { createHash } from 'node:crypto';
import type { OutboundResponse } from '../../kernel/outbound/read-response.js';
import type { PageToken } from '../page-token.js';
import { isFileList } from '../pages/async-query.js';
import { nextPageToken } from '../pages/next-page-token.js';
import { buildTapRequest } from '../requests/build-tap-request.js';
import { type CompletedRecord, completeRecord } from '../responses/complete-record.js';
import { readTapDocument, readTapResponse } from '../responses/read-tap-response.js';
import { recordsInWindow } from '../responses/records-in-window.js';
import type { ResponseFacts } from '../responses/response-facts.js';
import type { TapPage } from '../tap-page.js';
import { TapReadError } from '../tap-read-error.js';
import type { TapReading } from '../tap-reading.js';
import { callAsParent } from './call-as-parent.js';
import { responseFactsOf } from './response-facts-of.js';
import { awaitQuery, startQuery } from './run-query.js';
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

/** A page with the digest of its body; undefined for a page without records, which may equal the page before it. */
type DigestedPage = PageRead & { readonly digest: string | undefined };

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
    const position = await advanceQuery(parentSource, reading, token, signal);
    if (position) {
      yield { records: [], next: position, bytes: 0, receivedAt: new Date() };
      token = position;
      continue;
    }
    const { digest, ...page } = await readPage(parentSource, reading, token, signal);
    if (page.next && digest !== undefined && digest === previous)
      throw new TapReadError('contract', 'fail_tap', 'The source returned the same page twice in a row.');
    previous = digest;
    yield page;
    token = page.next;
  } while (token);
}

/** Starts the asynchronous query of a tap, or waits for it. Undefined if records can be read. */
async function advanceQuery(
  source: TapSource,
  reading: TapReading,
  token: PageToken | undefined,
  signal: AbortSignal,
): Promise<PageToken | undefined> {
  if (!reading.tap.sync.asyncQuery || token?.query?.isFinished) return undefined;
  return token?.query ? awaitQuery(source, reading, token, signal) : startQuery(source, reading, signal);
}

function readPage(
  source: TapSource,
  reading: TapReading,
  token: PageToken | undefined,
  signal: AbortSignal,
): Promise<DigestedPage> {
  const request = buildTapRequest(reading, token);
  const read = (response: OutboundResponse, origin: string | undefined): DigestedPage => {
    const page = pageOf(reading, token, response, responseFactsOf(source, token, origin));
    const { records, isPastWindow } = recordsInWindow(
      reading,
      page.records.map((record) => completeRecord(reading, record)),
    );
    return {
      records,
      next: isPastWindow ? undefined : nextPageToken(reading, token, request, page),
      bytes: response.body.length,
      receivedAt: new Date(),
      digest: page.records.length > 0 ? createHash('sha1').update(response.body).digest('base64') : undefined,
    };
  };
  return sendTapRequest(source, request, { read, signal });
}

function pageOf(
  reading: TapReading,
  token: PageToken | undefined,
  response: OutboundResponse,
  facts: ResponseFacts,
): TapPage {
  if (!token?.query || !isFileList(reading, token)) return readTapResponse(reading, response, facts);
  return { document: readTapDocument(reading, response, 'json', facts), headers: response.headers, records: [] };
}
