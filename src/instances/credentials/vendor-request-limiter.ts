import type { Pool } from 'pg';
import { consumePerMinute } from '../../kernel/concurrency/take-token.js';
import { AppError } from '../../kernel/errors.js';

/** Requests of a workspace, a minute, that make the service call a vendor: tests of credentials and starts of sign-ins. */
export const VENDOR_REQUESTS_PER_MINUTE = 30;

/** What is left of a limit. */
export interface RateLimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until all are allowed again. */
  readonly reset: number;
}

/** Counted in the database, for all processes together. */
export class VendorRequestLimiter {
  /** `perMinute` of 0 is no limit. */
  constructor(
    private readonly pool: Pool,
    private readonly perMinute: number,
  ) {}

  /** Where there is none left, tells so and throws TOO_MANY_REQUESTS with the seconds to wait. */
  async requireRequest(tenantId: string, tell: (state: RateLimitState) => void): Promise<void> {
    const retryAfter = await this.tryConsume(tenantId);
    if (retryAfter === 0) return;
    // After the next one all others have to come back, in a minute altogether.
    const reset = Math.min(60, Math.ceil(retryAfter + 60 - 60 / this.perMinute));
    tell({ limit: this.perMinute, remaining: 0, reset });
    const sentence = `${this.perMinute} tests and sign-ins a minute are allowed; try again in ${retryAfter} s.`;
    throw new AppError('TOO_MANY_REQUESTS', sentence, { retryAfter });
  }

  /** Counts one, and answers 0; where there is none left it counts nothing, and answers when there will be one. */
  async tryConsume(tenantId: string): Promise<number> {
    if (this.perMinute === 0) return 0;
    const counted = await consumePerMinute(this.pool, `vendor requests ${tenantId}`, this.perMinute);
    return counted.ok ? 0 : counted.retryAfter;
  }
}
