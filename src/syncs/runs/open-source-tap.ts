import type { Connector } from '../../catalog/model/connector.js';
import type { PaginationType } from '../../catalog/model/pagination.js';
import type { TransportOption } from '../../catalog/model/transport-option.js';
import { limitsOf } from '../../instances/credentials/source-limits.js';
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

/** The rate limits of the connector can reduce this number. */
const MAX_CONCURRENCY = 4;

/** Pagination types whose positions remain valid when records change. Offsets and page numbers shift. */
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

/**
 * Returns whether a run may read records of a slice twice. This happens after the action `reset_paging`, and after the
 * run splits a time window that has at least `maxRecords` records.
 */
function canReadAgain({ pagination, errorBodyRules }: TransportOption): boolean {
  return pagination?.maxRecords != null || Boolean(errorBodyRules?.some(({ action }) => action === 'reset_paging'));
}

/**
 * Returns whether all requests of the tap use `VENDOR_POSITIONS`, including the requests of alternative transport
 * options and of `bootstrapTap`.
 */
function keepsPositions({ option, alternatives = [], bootstrap }: PreparedTap): boolean {
  const others = [...alternatives, ...(bootstrap ? [bootstrap.option, ...(bootstrap.alternatives ?? [])] : [])];
  const types = [option, ...others.filter(({ pagination }) => pagination)].map(({ pagination }) => pagination?.type);
  return types.every((type) => type !== undefined && VENDOR_POSITIONS.includes(type));
}

/** Number of concurrent requests. With one request at a time, a sync could not use the whole rate limit. */
function concurrencyOf(tap: TapToOpen['tap'], connector: Pick<Connector, 'rateLimits'>): number {
  const limits = Object.values(limitsOf(connector, tap)).flatMap((one) => [one.maxConcurrent, one.requestsPerSecond]);
  return Math.max(1, Math.min(...limits.map((limit) => Math.ceil(limit ?? MAX_CONCURRENCY)), MAX_CONCURRENCY));
}
