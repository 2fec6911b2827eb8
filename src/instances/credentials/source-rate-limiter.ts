import type { Pool } from 'pg';
import { fillTemplate } from '../../catalog/template-variables.js';
import { TokenTimeout, waitForToken } from '../../kernel/concurrency/take-token.js';
import { OutboundError } from '../../kernel/outbound/outbound-client.js';
import type { SourceThrottle } from '../../sources/calls/call-source.js';
import type { StoredConnection } from './load-connection.js';

/** A call waits this long for a token of the source's rate limit. */
const ACQUIRE_TIMEOUT_MS = 20_000;

/** Enforces the rate limits of sources across all processes. */
export class SourceRateLimiter {
  constructor(private readonly pool: Pool) {}

  /**
   * Calls with the same rendered `concurrencyTagTemplate` share a rate. Without a template, calls of one connection
   * share one.
   */
  throttleOf({ connector, instanceId }: StoredConnection, tenantId: string): SourceThrottle {
    const names: Record<string, string> = {
      workspace: tenantId,
      connector: connector.slug,
      instance: instanceId,
      tap: '',
    };
    return async (tagTemplate, { requestsPerSecond }) => {
      if (!requestsPerSecond) return;
      const tag = fillTemplate(tagTemplate ?? '{connector} {instance}', (name) => names[name] ?? '');
      const rate = { capacity: Math.max(1, Math.ceil(requestsPerSecond)), perSecond: requestsPerSecond };
      const until = new Date(Date.now() + ACQUIRE_TIMEOUT_MS);
      await waitForToken(this.pool, `source ${tag}`, rate, { until }).catch((error: unknown) => {
        throw error instanceof TokenTimeout ? new OutboundError('timeout') : error;
      });
    };
  }
}
