import type { Connector } from '../../catalog/model/connector.js';
import type { PaginationType } from '../../catalog/model/pagination.js';
import type { TransportOption } from '../../catalog/model/transport-option.js';
import { BatchSender } from '../reading/batch-sender.js';
import { fanOut } from '../reading/fan-out.js';
import { isOwnFailure } from '../reading/is-own-failure.js';
import { prepareTap } from '../reading/prepare-tap.js';
import { readPages } from '../reading/read-pages.js';
import type { TapOpener } from '../reading/tap-opener.js';
import { clockOffsetMs } from '../reading/vendor-clock.js';
import { toTapReadError } from '../responses/to-tap-read-error.js';
import type { PreparedTap } from '../tap-reading.js';
import type { OpenTap, TapToOpen } from './sync-services.js';

/** The vendor may allow fewer requests. */
const MAX_CONCURRENCY = 4;

/** Unlike these, offsets and page numbers shift when records change. */
const VENDOR_POSITIONS: readonly PaginationType[] = ['cursor', 'session_page'];

/** Throws `TapReadError`, and errors of the database and of the secret store. */
export async function openSourceTap(
  opener: Pick<TapOpener, 'open'>,
  tap: TapToOpen,
  signal: AbortSignal,
): Promise<OpenTap> {
  const source = { ...(await opener.open(tap)), onRequest: tap.onRequest };
  const prepared = await prepareTap(source, tap.tap, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw isOwnFailure(error) ? error : toTapReadError(error);
  });
  const { connector } = source.call.connection;
  const { batch: settings } = prepared.option.restConfig ?? {};
  const batch = settings && new BatchSender(source.call, settings);
  return {
    concurrency: batch?.maxSubRequests ?? concurrencyOf(tap.tap, connector),
    keepsPositions: keepsPositions(prepared),
    maxRecords: prepared.option.pagination?.maxRecords ?? undefined,
    readsAgain: [prepared.option, ...(prepared.alternatives ?? [])].some(canReadAgain),
    clockOffsetMs: () => clockOffsetMs(source.call),
    fanOut: (scope) => fanOut(connector.traversal, prepared, scope),
    readPages: (slice, from, stop) => readPages({ ...source, batch }, { ...prepared, ...slice }, from, stop),
  };
}

/** `reset_paging` reads a slice again from its start, and `maxRecords` divides its window. */
function canReadAgain({ pagination, errorBodyRules }: TransportOption): boolean {
  return pagination?.maxRecords != null || Boolean(errorBodyRules?.some(({ action }) => action === 'reset_paging'));
}

/** Includes alternative requests and the requests of the first read. */
function keepsPositions({ option, alternatives = [], bootstrap }: PreparedTap): boolean {
  const others = [...alternatives, ...(bootstrap ? [bootstrap.option, ...(bootstrap.alternatives ?? [])] : [])];
  const types = [option, ...others.filter(({ pagination }) => pagination)].map(({ pagination }) => pagination?.type);
  return types.every((type) => type !== undefined && VENDOR_POSITIONS.includes(type));
}

/** Number of concurrent requests. With one request at a time, a sync would be slower than its rate limit permits. */
function concurrencyOf(tap: TapToOpen['tap'], { rateLimits }: Pick<Connector, 'rateLimits'>): number {
  const { maxConcurrent = MAX_CONCURRENCY, requestsPerSecond = MAX_CONCURRENCY } = {
    ...rateLimits,
    ...tap.rateLimitOverride,
    ...tap.rateLimits,
  };
  return Math.max(1, Math.min(MAX_CONCURRENCY, maxConcurrent, Math.ceil(requestsPerSecond)));
}
