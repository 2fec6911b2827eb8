import { FileStoreError } from '../../kernel/files/file-store.js';
import { type OpenedPage, openTapPage } from '../bodies/open-tap-page.js';
import type { PageToken } from '../page-token.js';
import { extendTrail } from '../page-trail.js';
import { isFileList } from '../pages/async-query.js';
import { nextPageToken } from '../pages/next-page-token.js';
import { buildTapRequest } from '../requests/build-tap-request.js';
import { type CompletedRecord, completeRecord } from '../responses/complete-record.js';
import { readTapDocument } from '../responses/read-tap-response.js';
import { recordsInWindow } from '../responses/records-in-window.js';
import { respondedAt } from '../responses/time-offset.js';
import { toTapReadError } from '../responses/to-tap-read-error.js';
import { isKept } from '../responses/transform-record.js';
import type { VendorRecord } from '../tap-page.js';
import type { TapReading } from '../tap-reading.js';
import type { PageRead } from './page-read.js';
import type { RecordParts } from './record-parts.js';
import { responseFactsOf } from './response-facts-of.js';
import { type ReadResponse, sendTapRequest } from './send-tap-request.js';
import type { TapSource } from './tap-source.js';

/** Sizes in bytes. Parsing a document above `wholeBytes` in one call would block the event loop. */
const SIZES = { partBytes: 2 ** 15, wholeBytes: 2 ** 16, memoryBytes: 2 ** 23, maxBytes: 2 ** 31 };

interface PageOptions {
  readonly parts: RecordParts;
  /** Number of times that the slice was read again from its first page. */
  readonly resets: number;
  readonly signal: AbortSignal;
}

/**
 * Returns the position of the next page, or undefined after the last page. Throws `FileStoreError` and `TapReadError`.
 */
export async function* readPage(
  source: TapSource,
  reading: TapReading,
  token: PageToken | undefined,
  { parts, resets, signal }: PageOptions,
): AsyncGenerator<PageRead, PageToken | undefined, undefined> {
  const request = buildTapRequest(reading, token);
  const isList = Boolean(token?.query && isFileList(reading, token));
  const spool = { folder: source.workFolder, ...SIZES };
  const read: ReadResponse<OpenedPage> = (response, origin) => {
    const facts = responseFactsOf(source, token, origin);
    if (!isList) return openTapPage(reading, response, facts, spool);
    return pageWithoutRecords(readTapDocument(reading, response, 'json', facts), response);
  };
  const opened = await sendTapRequest(source, isList ? request : { ...request, spool }, { read, signal });
  const receivedAt = new Date();
  const { document, headers, bytes, digest, isAfterLast = false } = opened;
  const times = { receivedAt, respondedAt: respondedAt(headers, receivedAt.getTime()) };
  let records: readonly CompletedRecord[] = [];
  let count = 0;
  let last: VendorRecord | undefined;
  let isLastPage = false;
  try {
    for await (const part of opened.records) {
      if (records.length > 0)
        yield* parts.take({ records, isPartial: true, next: undefined, bytes: 0, ...times }, document);
      const completed = part
        .filter((record) => isKept(reading, record))
        .map((record) => completeRecord(reading, record));
      const { isPastWindow, ...inWindow } = recordsInWindow(reading, completed);
      records = inWindow.records;
      isLastPage ||= isPastWindow;
      count += part.length;
      last = part.at(-1) ?? last;
    }
    const page = { document, headers, isAfterLast, records: { length: count, at: () => last } };
    const following = isLastPage ? undefined : nextPageToken(reading, token, request, page);
    const trail = following && count > 0 ? extendTrail(token?.trail, digest) : token?.trail;
    const next = following && { ...following, ...(trail && { trail }), ...(resets > 0 && { resets }) };
    yield* parts.take({ records, next, bytes, ...times }, document);
    return next;
  } catch (error) {
    throw error instanceof FileStoreError ? error : toTapReadError(error);
  } finally {
    await opened.close();
  }
}

async function* noRecords(): AsyncGenerator<readonly VendorRecord[]> {
  // The response lists result files, and contains no records.
}

function pageWithoutRecords(document: unknown, { headers, body }: { headers: Headers; body: Buffer }): OpenedPage {
  return { document, headers, records: noRecords(), bytes: body.length, digest: '', close: async () => undefined };
}
