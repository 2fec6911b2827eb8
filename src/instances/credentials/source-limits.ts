import type { Connector } from '../../catalog/model/connector.js';
import type { ConnectorTap } from '../../catalog/model/connector-tap.js';
import type { RateLimits, RateLimitWindow } from '../../catalog/model/rate-limits.js';
import { fillTemplate } from '../../catalog/template-variables.js';
import type { TokenRate } from '../../kernel/concurrency/take-token.js';
import type { StoredConnection } from './load-connection.js';

/**
 * Request rate for reading a tap. Applies if the connector and the `rateLimitOverride` of the tap do not set
 * `requestsPerSecond`.
 */
const DEFAULT_REQUESTS_PER_SECOND = 10;

/**
 * Maximum burst: the requests that the rate allows in this time. In any 10 seconds, a source receives at most 5 % or
 * one request more than its limit, whichever is more.
 */
const BURST_SECONDS = 0.5;

/**
 * Maximum burst, as a share of a window's requests. The limiter distributes the remaining requests evenly, so that no
 * window exceeds its limit.
 */
const WINDOW_BURST = 0.1;

export type LimitedTap = Pick<ConnectorTap, 'name' | 'rateLimits' | 'rateLimitOverride'>;

/** All processes use the same keys, so they share the limits. */
export interface SourceLimits {
  readonly rates: readonly { readonly key: string; readonly rate: TokenRate }[];
  /** Keys of the rates that the limiter pauses when the source reports an exceeded rate limit. */
  readonly paused: readonly string[];
  readonly slots: readonly { readonly key: string; readonly limit: number }[];
  /** Number of tokens that one request takes from each of `rates`. */
  readonly weight: number;
}

interface CombinedLimits {
  /** The limits that the tap shares with other taps. */
  readonly shared: RateLimits;
  /** The limits of this tap that replace limits of the connector. */
  readonly override: RateLimits;
  /** The additional limits of this tap. */
  readonly own: RateLimits;
}

/** All of the returned limits apply to each call. */
export function limitsOf(connector: Pick<Connector, 'rateLimits'>, tap?: Omit<LimitedTap, 'name'>): CombinedLimits {
  const override = withoutNulls(tap?.rateLimitOverride);
  const all = {
    ...(tap && { requestsPerSecond: DEFAULT_REQUESTS_PER_SECOND }),
    ...withoutNulls(connector.rateLimits),
  };
  const shared = Object.fromEntries(Object.entries(all).filter(([name]) => !Object.hasOwn(override, name)));
  return { shared, override, own: withoutNulls(tap?.rateLimits) };
}

/**
 * Calls with the same rendered `concurrencyTagTemplate` share limits. Without a template, only calls of the same
 * connection share limits.
 */
export function sourceLimitsOf(
  { connector, instanceId }: StoredConnection,
  tenantId: string,
  tap?: LimitedTap,
): SourceLimits {
  const names: Record<string, string> = {
    ...{ workspace: tenantId, connector: connector.slug, instance: instanceId },
    tap: tap?.name ?? '',
  };
  const tag = fillTemplate(connector.concurrencyTagTemplate ?? '{connector} {instance}', (name) => names[name] ?? '');
  const { shared, override, own } = limitsOf(connector, tap);
  const weight = Math.max(1, own.requestWeight ?? override.requestWeight ?? shared.requestWeight ?? 1);
  const scopes = [
    { key: `source ${tag} tap ${tap?.name}`, limits: own },
    { key: `source ${tag} override ${tap?.name}`, limits: override },
    { key: `source ${tag}`, limits: shared },
  ];
  const rates = scopes.flatMap(({ key, limits }) => ratesOf(key, limits, weight));
  return {
    ...{ weight, rates: rates.map(({ key, rate }) => ({ key, rate })) },
    paused: rates.filter(({ isWindow }) => !isWindow).map(({ key }) => key),
    slots: scopes.flatMap(({ key, limits: { maxConcurrent } }) =>
      maxConcurrent ? [{ key, limit: maxConcurrent }] : [],
    ),
  };
}

function ratesOf(key: string, { requestsPerSecond, windows = [] }: RateLimits, weight: number) {
  const withCapacity = ({ capacity, perSecond }: TokenRate): TokenRate => ({
    ...{ perSecond, capacity: Math.max(weight, Math.floor(capacity)) },
  });
  return [
    ...(requestsPerSecond ? [{ key, isWindow: false, rate: withCapacity(rateOfSecond(requestsPerSecond)) }] : []),
    ...windows.map((window) => ({
      ...{ key: `${key} ${window.requests}/${window.seconds}`, isWindow: true },
      rate: rateOfWindow(window, weight),
    })),
  ];
}

function rateOfSecond(requestsPerSecond: number): TokenRate {
  return { capacity: requestsPerSecond * BURST_SECONDS, perSecond: requestsPerSecond };
}

function rateOfWindow({ requests, seconds }: RateLimitWindow, weight: number): TokenRate {
  const capacity = Math.max(weight, Math.floor(requests * WINDOW_BURST));
  return { capacity, perSecond: Math.max(1, requests - capacity) / Math.max(1, seconds) };
}

/** The database stores unset values as null. */
function withoutNulls(limits: RateLimits | null | undefined): RateLimits {
  return Object.fromEntries(Object.entries(limits ?? {}).filter(([, value]) => value != null));
}
