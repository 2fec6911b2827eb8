import type { PageToken } from '../page-token.js';
import { pollingOf, readQueryStatus, startedQuery } from '../pages/async-query.js';
import { buildTapRequest } from '../requests/build-tap-request.js';
import { readTapDocument } from '../responses/read-tap-response.js';
import { TapReadError } from '../tap-read-error.js';
import type { TapReading } from '../tap-reading.js';
import { responseFactsOf } from './response-facts-of.js';
import { type ReadResponse, sendTapRequest } from './send-tap-request.js';
import { MAX_WAIT_MS, sleep } from './sleep.js';
import type { TapSource } from './tap-source.js';

export async function startQuery(source: TapSource, reading: TapReading, signal: AbortSignal): Promise<PageToken> {
  const read = documentReader(source, reading, undefined);
  const document = await sendTapRequest(source, buildTapRequest(reading), { read, signal });
  return startedQuery(reading, document, Date.now());
}

/**
 * Throws `TapReadError` if the query fails, or if it exceeds `maxPollSeconds`. If the query is still running after 30
 * seconds, throws a `TapReadError` with the action `wait`.
 */
export async function awaitQuery(
  source: TapSource,
  reading: TapReading,
  token: PageToken,
  signal: AbortSignal,
): Promise<PageToken> {
  const { query } = token;
  if (!query) return token;
  const { intervalMs, timeoutMs } = pollingOf(reading);
  const read = documentReader(source, reading, token);
  for (let waitedMs = 0; ; waitedMs += intervalMs) {
    const document = await sendTapRequest(source, buildTapRequest(reading, token), { read, signal });
    const status = readQueryStatus(reading, document);
    if (status === 'finished') return { ...token, query: { ...query, isFinished: true } };
    if (status === 'failed') throw new TapReadError('contract', 'fail_tap', 'The query failed at the source.');
    if (Date.now() - query.startedAt > timeoutMs)
      throw new TapReadError(
        'vendor_unavailable',
        'fail_tap',
        'The query at the source did not finish before its timeout.',
      );
    if (waitedMs + intervalMs > MAX_WAIT_MS)
      throw new TapReadError('vendor_unavailable', 'wait', 'The query is still running at the source.', {
        retryAfterMs: intervalMs,
      });
    await (source.sleep ?? sleep)(intervalMs, signal);
  }
}

function documentReader(source: TapSource, reading: TapReading, token: PageToken | undefined): ReadResponse<unknown> {
  return (response, origin) => readTapDocument(reading, response, 'json', responseFactsOf(source, token, origin));
}
