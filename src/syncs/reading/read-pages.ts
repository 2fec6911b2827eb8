import type { PageToken } from '../page-token.js';
import type { CompletedRecord } from '../responses/complete-record.js';
import type { TapReading } from '../tap-reading.js';
import { callAsParent } from './call-as-parent.js';
import { readPage } from './read-page.js';
import { awaitQuery, startQuery } from './run-query.js';
import type { TapSource } from './tap-source.js';

/** The records of one response, or a part of them. */
export interface PageRead {
  readonly records: readonly CompletedRecord[];
  /** Whether more records of the same response follow. Then `next` is undefined, and `bytes` is 0. */
  readonly isPartial?: boolean;
  /** Position after the page; undefined if the slice is complete. */
  readonly next: PageToken | undefined;
  /** Size of the response, in bytes. */
  readonly bytes: number;
  readonly receivedAt: Date;
}

/**
 * Reads the pages of a slice from `from` on. The caller can stop after any page and continue later with its `next`.
 * Large pages are yielded in parts. Throws `FileStoreError` and `TapReadError`, also for a page that equals the page before
 * it, because the vendor would return it forever.
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
    const { next, digest } = yield* readPage(parentSource, reading, token, { previous, signal });
    previous = digest;
    token = next;
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
