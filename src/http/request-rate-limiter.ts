import type { Context } from 'koa';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimitState } from '../instances/credentials/vendor-request-limiter.js';
import { AppError, rateLimitError } from '../kernel/errors.js';
import { KeyedCounter } from './keyed-counter.js';

export const RATE_LIMIT_NAMES = ['caller', 'public', 'upload', 'vendor', 'ingest'] as const;

type RateLimitName = (typeof RATE_LIMIT_NAMES)[number];

/** Limits in requests per minute, which replace the default limits. */
export type RateOverrides = 'off' | Partial<Record<RateLimitName, number>>;

interface Rate {
  /** Maximum number per minute. */
  readonly most: number;
  readonly what: string;
  /** Length in seconds. A client may use the whole limit of a window in one burst. */
  readonly window: number;
}

/** Each process counts separately. */
const DEFAULT_LIMITS = {
  caller: { most: 600, what: 'requests', window: 60 },
  public: { most: 600, what: 'requests', window: 60 },
  upload: { most: 20, what: 'uploads', window: 60 },
  ingest: { most: 6_000, what: 'requests', window: 5 },
} satisfies Partial<Record<RateLimitName, Rate>>;
type Counted = keyof typeof DEFAULT_LIMITS;

/** Maximum number of bodies of unauthenticated requests that arrive concurrently from one address. */
const MAX_CONCURRENT_BODIES = 20;
const BODY_RETRY_SECONDS = 10;

export class RequestRateLimiter {
  readonly #limiters: Partial<Record<Counted, RateLimiterMemory>> = {};
  readonly #bodies = new KeyedCounter();
  readonly #maxBodies: number;

  constructor(changes: RateOverrides) {
    this.#maxBodies = changes === 'off' ? Number.POSITIVE_INFINITY : MAX_CONCURRENT_BODIES;
    if (changes === 'off') return;
    for (const name of Object.keys(DEFAULT_LIMITS) as Counted[]) {
      const { most, window } = DEFAULT_LIMITS[name];
      const points = Math.ceil(((changes[name] ?? most) * window) / 60);
      this.#limiters[name] = new RateLimiterMemory({ points, duration: window });
    }
  }

  /**
   * Counts a request and sets the rate limit headers. Rejects with TOO_MANY_REQUESTS above the limit. Returns undefined
   * if there is no limit.
   */
  count(ctx: Context, name: Counted, key: string): Promise<void> | undefined {
    const limiter = this.#limiters[name];
    return limiter && this.#count(limiter, ctx, name, key);
  }

  async #count(limiter: RateLimiterMemory, ctx: Context, name: Counted, key: string): Promise<void> {
    const state = await limiter.consume(key).catch((refused: unknown) => {
      if (refused instanceof RateLimiterRes) return refused;
      throw refused;
    });
    tell(ctx, limiter, state);
    if (state.consumedPoints > limiter.points) throw tooMany(name, limiter, state);
  }

  /** Throws TOO_MANY_REQUESTS if the next counted request would exceed the limit. Does not count a request. */
  async requireRemaining(ctx: Context, name: Counted, key: string): Promise<void> {
    const limiter = this.#limiters[name];
    const state = limiter && (await limiter.get(key));
    if (!limiter || !state || state.consumedPoints < limiter.points) return;
    tell(ctx, limiter, state);
    throw tooMany(name, limiter, state);
  }

  /**
   * Throws TOO_MANY_REQUESTS, without reading, while `MAX_CONCURRENT_BODIES` other bodies from the address are
   * arriving.
   */
  async readBody<Body>(address: string, read: () => Promise<Body>): Promise<Body> {
    const count = this.#bodies.increment(address);
    try {
      if (count > this.#maxBodies) throw tooManyBodies();
      return await read();
    } finally {
      this.#bodies.decrement(address);
    }
  }
}

function secondsUntilNext({ msBeforeNext }: RateLimiterRes): number {
  return Math.ceil(msBeforeNext / 1_000);
}

function tell(ctx: Context, { points: limit }: RateLimiterMemory, state: RateLimiterRes): void {
  setRateLimitHeaders(ctx, { limit, remaining: Math.max(0, state.remainingPoints), reset: secondsUntilNext(state) });
}

/** Overwrites the headers of a limit that was checked earlier. */
export function setRateLimitHeaders(ctx: Context, { limit, remaining, reset }: RateLimitState): void {
  ctx.set('RateLimit-Limit', String(limit));
  ctx.set('RateLimit-Remaining', String(remaining));
  ctx.set('RateLimit-Reset', String(reset));
}

function tooManyBodies(): AppError {
  const sentence = `At most ${MAX_CONCURRENT_BODIES} unauthenticated request bodies may arrive concurrently from one address. Try again in ${BODY_RETRY_SECONDS} s.`;
  return new AppError('TOO_MANY_REQUESTS', sentence, { retryAfter: BODY_RETRY_SECONDS });
}

function tooMany(name: Counted, { points }: RateLimiterMemory, state: RateLimiterRes): AppError {
  const { what, window } = DEFAULT_LIMITS[name];
  const span = window === 60 ? 'per minute' : `per ${window} seconds`;
  return rateLimitError(`${points} ${what} ${span}`, secondsUntilNext(state));
}
