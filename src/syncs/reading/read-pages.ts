import type { PageToken } from '../page-token.js';
import { failureOf } from '../responses/failure-table.js';
import { type SyncErrorClass, TapReadError } from '../tap-read-error.js';
import type { TapReading } from '../tap-reading.js';
import { callAsParent } from './call-as-parent.js';
import type { PageRead } from './page-read.js';
import { rateLimitsOf } from './rate-limits-of.js';
import { readFieldLists } from './read-field-lists.js';
import { readPage } from './read-page.js';
import { RecordParts } from './record-parts.js';
import { awaitQuery, startQuery } from './run-query.js';
import type { TapSource } from './tap-source.js';

/** Maximum number of times that a slice is read again from its first page, in all steps together. */
const MAX_RESETS = 3;

/** Another transport option may avoid failures of these classes. */
const AVOIDABLE: readonly SyncErrorClass[] = ['contract', 'configuration', 'permission'];

/**
 * Yields large pages in parts. The caller can stop after any page and continue later with the `next` of the page. If a
 * transport option fails before the first page, and the failure is avoidable, uses the next option. A repeated page is
 * an error, because the vendor might repeat its pages endlessly. Throws `FileStoreError` and `TapReadError`.
 */
export async function* readPages(
  source: TapSource,
  reading: TapReading,
  from: PageToken | undefined,
  signal: AbortSignal,
): AsyncGenerator<PageRead, void, undefined> {
  const { alternatives = [], ...prepared } = bootstrapped(reading);
  const options = [prepared.option, ...alternatives];
  let hasPages = from !== undefined;
  let failure: unknown;
  for (let index = from?.option ?? 0; ; index += 1) {
    const option = options[index];
    if (!option) throw failure;
    try {
      for await (const page of readLists(source, { ...prepared, option }, from, signal)) {
        hasPages = true;
        yield index > 0 && page.next ? { ...page, next: { ...page.next, option: index } } : page;
      }
      return;
    } catch (error) {
      if (hasPages || !isAvoidable(error)) throw error;
      failure ??= error;
    }
  }
}

function isAvoidable(error: unknown): boolean {
  const { errorClass, action } = error instanceof TapReadError ? error : {};
  return errorClass !== undefined && AVOIDABLE.includes(errorClass) && (action === 'fail_tap' || action === 'skip_tap');
}

/** A read without a saved cursor uses the requests of `bootstrapTap`, which have no window. */
function bootstrapped({ bootstrap, window, ...reading }: TapReading): TapReading {
  if (bootstrap && window && !window.since) return { ...reading, ...bootstrap };
  return { ...reading, ...(window && { window }) };
}

/**
 * If one request cannot contain all fields, reads each list of fields separately. If a read continues at a position
 * without `fieldLists`, does not divide the fields.
 */
function readLists(
  source: TapSource,
  reading: TapReading,
  from: PageToken | undefined,
  signal: AbortSignal,
): AsyncGenerator<PageRead, void, undefined> {
  const lists = reading.wildcard?.lists?.map((fieldNames) => ({ fieldNames }));
  const token = from ? from.fieldLists : lists && { lists };
  if (!token) return readOption(source, reading, from, signal);
  return readFieldLists(reading, token, (list, position) => readOption(source, list, position, signal));
}

async function* readOption(
  source: TapSource,
  reading: TapReading,
  from: PageToken | undefined,
  signal: AbortSignal,
): AsyncGenerator<PageRead, void, undefined> {
  const parentSource = {
    ...source,
    call: callAsParent(source.call, reading),
    batch: reading.option.restConfig?.batch ? source.batch : undefined,
    rateLimits: rateLimitsOf(source, reading.tap),
  };
  let token = from;
  let resets = from?.resets ?? 0;
  let parts = new RecordParts(reading);
  for (;;) {
    const position = await advanceQuery(parentSource, reading, token, signal);
    if (position) {
      yield { records: [], next: position, bytes: 0, receivedAt: new Date() };
      token = position;
      continue;
    }
    try {
      const options = { signal, resets, parts };
      const next = yield* readPage(parentSource, reading, token, options);
      if (!next) return;
      token = next;
    } catch (error) {
      if (!isReset(error)) throw error;
      resets += 1;
      if (!token || resets > MAX_RESETS)
        throw failureOf('rejected_by_rule', { status: error.status, message: error.message });
      token = undefined;
      parts = new RecordParts(reading);
    }
  }
}

function isReset(error: unknown): error is TapReadError {
  return error instanceof TapReadError && error.action === 'reset_paging';
}

async function advanceQuery(
  source: TapSource,
  reading: TapReading,
  token: PageToken | undefined,
  signal: AbortSignal,
): Promise<PageToken | undefined> {
  if (!reading.tap.sync.asyncQuery || token?.query?.isFinished) return undefined;
  return token?.query ? awaitQuery(source, reading, token, signal) : startQuery(source, reading, signal);
}
