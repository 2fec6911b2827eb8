import type { Pool } from 'pg';
import { holdSlot } from '../../kernel/concurrency/hold-slot.js';
import { emptyBucket, TokenTimeout, waitForToken } from '../../kernel/concurrency/take-token.js';
import { OutboundError } from '../../kernel/outbound/outbound-client.js';
import type { SourceThrottle } from '../../sources/calls/call-source.js';
import type { StoredConnection } from './load-connection.js';
import { type LimitedTap, type SourceLimits, sourceLimitsOf } from './source-limits.js';

const ACQUIRE_TIMEOUT_MS = 20_000;

/** Delay before a retry if no slot was free for `ACQUIRE_TIMEOUT_MS`. */
const SLOT_RETRY_MS = 5_000;

export class SourceRateLimiter {
  constructor(private readonly pool: Pool) {}

  throttleOf(connection: StoredConnection, tenantId: string, tap?: LimitedTap): SourceThrottle {
    const limits = sourceLimitsOf(connection, tenantId, tap);
    return {
      acquire: (signal) => this.#acquire(limits, signal),
      pause: async (milliseconds) => {
        for (const { key, rate } of limits.rates)
          if (limits.paused.includes(key)) await emptyBucket(this.pool, key, rate, milliseconds);
      },
    };
  }

  /**
   * Acquires slots before tokens, so that no acquired token waits for a slot. All callers acquire slots in the same
   * order, so that they cannot deadlock.
   */
  async #acquire({ slots, rates, weight }: SourceLimits, signal?: AbortSignal): Promise<() => Promise<void>> {
    const held: (() => Promise<void>)[] = [];
    const release = async (): Promise<void> => {
      for (const one of held) await one();
    };
    try {
      for (const slot of slots) {
        const releaseSlot = await holdSlot(this.pool, slot, { waitMs: ACQUIRE_TIMEOUT_MS, signal });
        if (!releaseSlot) throw new TokenTimeout(SLOT_RETRY_MS);
        held.push(releaseSlot);
      }
      for (const { key, rate } of rates) {
        const until = new Date(Date.now() + ACQUIRE_TIMEOUT_MS);
        await waitForToken(this.pool, key, rate, { until, tokens: weight, signal });
      }
      return release;
    } catch (cause) {
      await release();
      throw cause instanceof TokenTimeout ? new OutboundError('timeout', { cause }) : cause;
    }
  }
}
