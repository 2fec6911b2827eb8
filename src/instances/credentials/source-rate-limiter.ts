import type { Pool } from 'pg';
import type { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { fillTemplate } from '../../catalog/template-variables.js';
import { emptyBucket, type TokenRate, TokenTimeout, waitForToken } from '../../kernel/concurrency/take-token.js';
import { OutboundError } from '../../kernel/outbound/outbound-client.js';
import type { SourceThrottle } from '../../sources/calls/call-source.js';
import type { StoredConnection } from './load-connection.js';

/** A call waits this long for a token of the source's rate limit. */
const ACQUIRE_TIMEOUT_MS = 20_000;

/** Rate at which taps are read if the definition names no limit. */
const DEFAULT_REQUESTS_PER_SECOND = 10;

/** Longest burst, in seconds of the rate: in any 10 seconds, a source receives at most 5 % more than its limit. */
const BURST_SECONDS = 0.5;

interface Bucket {
  readonly key: string;
  readonly rate: TokenRate;
}

type LimitedTap = Pick<ConnectorTap, 'name' | 'rateLimits' | 'rateLimitOverride'>;

/** Enforces the rate limits of sources across all processes. */
export class SourceRateLimiter {
  constructor(private readonly pool: Pool) {}

  /**
   * Calls with the same rendered `concurrencyTagTemplate` share a rate. Without a template, calls of one connection
   * share one. The limits of `tap` apply too: `rateLimits` to its own calls, `rateLimitOverride` instead of the rate of
   * the connector.
   */
  throttleOf(connection: StoredConnection, tenantId: string, tap?: LimitedTap): SourceThrottle {
    const buckets = bucketsOf(connection, tenantId, tap);
    return {
      acquire: async () => {
        for (const bucket of buckets) await this.#acquire(bucket);
      },
      pause: async (milliseconds) => {
        for (const { key, rate } of buckets) await emptyBucket(this.pool, key, rate, milliseconds);
      },
    };
  }

  async #acquire({ key, rate }: Bucket): Promise<void> {
    const until = new Date(Date.now() + ACQUIRE_TIMEOUT_MS);
    await waitForToken(this.pool, key, rate, { until }).catch((cause: unknown) => {
      throw cause instanceof TokenTimeout ? new OutboundError('timeout', { cause }) : cause;
    });
  }
}

function bucketsOf({ connector, instanceId }: StoredConnection, tenantId: string, tap?: LimitedTap): Bucket[] {
  const names: Record<string, string> = {
    ...{ workspace: tenantId, connector: connector.slug, instance: instanceId },
    tap: tap?.name ?? '',
  };
  const tag = fillTemplate(connector.concurrencyTagTemplate ?? '{connector} {instance}', (name) => names[name] ?? '');
  const shared =
    tap?.rateLimitOverride?.requestsPerSecond ??
    connector.rateLimits?.requestsPerSecond ??
    (tap && DEFAULT_REQUESTS_PER_SECOND);
  const own = tap?.rateLimits?.requestsPerSecond;
  return [
    ...(shared ? [{ key: `source ${tag}`, rate: rateOf(shared) }] : []),
    ...(own ? [{ key: `source ${tag} tap ${tap.name}`, rate: rateOf(own) }] : []),
  ];
}

function rateOf(requestsPerSecond: number): TokenRate {
  return { capacity: Math.max(1, Math.floor(requestsPerSecond * BURST_SECONDS)), perSecond: requestsPerSecond };
}
