import type { Pool } from 'pg';
import { AppError } from '../kernel/errors.js';
import { countPerMinute } from '../kernel/token-buckets.js';

/** Requests of a workspace, a minute, that make the service call a vendor: tests of credentials and starts of sign-ins. */
export const VENDOR_REQUESTS = 30;

/** Counted in the database, for all processes together. */
export class VendorRequestLimit {
  /** `perMinute` of 0 is no limit. */
  constructor(
    private readonly pool: Pool,
    private readonly perMinute: number,
  ) {}

  /** Throws TOO_MANY_REQUESTS with the seconds to wait. */
  async count(tenantId: string): Promise<void> {
    const retryAfter = await this.secondsToWait(tenantId);
    if (retryAfter === 0) return;
    const sentence = `${this.perMinute} tests and sign-ins a minute are allowed; try again in ${retryAfter} s.`;
    throw new AppError('TOO_MANY_REQUESTS', sentence, { retryAfter });
  }

  /** Counts one, and answers 0; where there is none left it counts nothing, and answers when there will be one. */
  async secondsToWait(tenantId: string): Promise<number> {
    if (this.perMinute === 0) return 0;
    const counted = await countPerMinute(this.pool, `vendor requests ${tenantId}`, this.perMinute);
    return counted.ok ? 0 : counted.retryAfter;
  }
}
