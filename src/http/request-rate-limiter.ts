import type { Context } from 'koa';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimitState } from '../instances/credentials/vendor-request-limiter.js';
import { AppError } from '../kernel/errors.js';
import { KeyedCounter } from './keyed-counter.js';

export const RATE_LIMIT_NAMES = ['caller', 'public', 'upload', 'vendor', 'ingest'] as const;

type RateLimitName = (typeof RATE_LIMIT_NAMES)[number];

/** Requests per minute that replace the defaults. */
export type RateOverrides = 'off' | Partial<Record<RateLimitName, number>>;

interface Rate {
  /** A minute. */
  readonly most: number;
  readonly what: string;
  /** Seconds that are counted together: what comes in them may come at once. */
  readonly window: number;
}

/** Counted by each process for itself. */
const DEFAULT_LIMITS = {
  caller: { most: 600, what: 'requests', window: 60 },
  public: { most: 600, what: 'requests', window: 60 },
  upload: { most: 20, what: 'uploads', window: 60 },
  ingest: { most: 6_000, what: 'requests', window: 5 },
} satisfies Partial<Record<RateLimitName, Rate>>;
type Counted = keyof typeof DEFAULT_LIMITS;

/** Request bodies without a caller that arrive at the same time from one address. Only slow ones add up. */
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

  /** Counts a request, says in its reply how many of the kind are left, and throws TOO_MANY_REQUESTS where none is. */
  async count(ctx: Context, name: Counted, key: string): Promise<void> {
    const limiter = this.#limiters[name];
    if (!limiter) return;
    const state = await limiter.consume(key).catch((refused: unknown) => {
      if (refused instanceof RateLimiterRes) return refused;
      throw refused;
    });
    tell(ctx, limiter, state);
    if (state.consumedPoints > limiter.points) throw tooMany(name, limiter, state);
  }

  /** Counts nothing, and throws TOO_MANY_REQUESTS where the next request that counts would be refused. */
  async requireRemaining(ctx: Context, name: Counted, key: string): Promise<void> {
    const limiter = this.#limiters[name];
    const state = limiter && (await limiter.get(key));
    if (!limiter || !state || state.consumedPoints < limiter.points) return;
    tell(ctx, limiter, state);
    throw tooMany(name, limiter, state);
  }

  /** Reads a body from an address. Throws TOO_MANY_REQUESTS, without reading, while `MAX_CONCURRENT_BODIES` others arrive from there. */
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

/** Says in a reply what is left of a limit, in place of what was said of another one before. */
export function setRateLimitHeaders(ctx: Context, { limit, remaining, reset }: RateLimitState): void {
  ctx.set('RateLimit-Limit', String(limit));
  ctx.set('RateLimit-Remaining', String(remaining));
  ctx.set('RateLimit-Reset', String(reset));
}

function tooManyBodies(): AppError {
  const sentence = `Without a token, ${MAX_CONCURRENT_BODIES} request bodies may arrive at once from one address.`;
  return new AppError('TOO_MANY_REQUESTS', sentence, { retryAfter: BODY_RETRY_SECONDS });
}

function tooMany(name: Counted, { points }: RateLimiterMemory, state: RateLimiterRes): AppError {
  const { what, window } = DEFAULT_LIMITS[name];
  const seconds = secondsUntilNext(state);
  const span = window === 60 ? 'a minute' : `in ${window} seconds`;
  const sentence = `${points} ${what} ${span} are allowed; try again in ${seconds} s.`;
  return new AppError('TOO_MANY_REQUESTS', sentence, { retryAfter: seconds });
}
