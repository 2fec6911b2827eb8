import type { Pool } from 'pg';
import { consumePerMinute } from '../../kernel/concurrency/take-token.js';
import { rateLimitError } from '../../kernel/errors.js';

/** Limit per workspace for the requests to all `OPERATIONS` together. Credential tests that jobs run also count. */
export const VENDOR_REQUESTS_PER_MINUTE = 30;

/** The operations that share the limit. */
const OPERATIONS = '`validateCredentials`, `connectorOauthStart`, `tryTap` and `discoverObjects`';

/** Part of the descriptions of these operations. */
export const VENDOR_LIMIT_ERROR = `TOO_MANY_REQUESTS if the workspace sends more than ${VENDOR_REQUESTS_PER_MINUTE} requests per minute to ${OPERATIONS} together. Credential tests that jobs run also count.`;

export interface RateLimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the full limit is available again. */
  readonly reset: number;
}

/** Stores the counts in the database, so that the limit applies to all processes together. */
export class VendorRequestLimiter {
  /** A `perMinute` of 0 disables the limit. */
  constructor(
    private readonly pool: Pool,
    private readonly perMinute: number,
  ) {}

  /** If the limit is used up, calls `report` and throws TOO_MANY_REQUESTS. */
  async requireRequest(tenantId: string, report: (state: RateLimitState) => void): Promise<void> {
    const retryAfter = await this.tryConsume(tenantId);
    if (retryAfter === 0) return;
    // The first request is allowed after `retryAfter` seconds, and one more every 60 / `perMinute` seconds. After
    // `reset` seconds, `perMinute` requests at once are allowed again.
    const reset = Math.min(60, Math.ceil(retryAfter + 60 - 60 / this.perMinute));
    report({ limit: this.perMinute, remaining: 0, reset });
    throw rateLimitError(
      `${this.perMinute} requests per minute to ${OPERATIONS.replaceAll('`', '')} together`,
      retryAfter,
    );
  }

  /** Returns 0, or the seconds until the next request is allowed. */
  async tryConsume(tenantId: string): Promise<number> {
    if (this.perMinute === 0) return 0;
    const counted = await consumePerMinute(this.pool, `vendor requests ${tenantId}`, this.perMinute);
    return counted.ok ? 0 : counted.retryAfter;
  }
}
