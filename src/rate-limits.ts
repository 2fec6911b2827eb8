import type { Context } from 'koa';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config, RateLimitName } from './config.js';
import { AppError } from './kernel/errors.js';

/** How many a minute, counted by each process for itself. */
const DEFAULTS = {
  caller: { most: 600, what: 'requests' },
  public: { most: 600, what: 'requests' },
  upload: { most: 20, what: 'uploads' },
} satisfies Partial<Record<RateLimitName, { most: number; what: string }>>;
type Counted = keyof typeof DEFAULTS;
const WINDOW = 60;

export class RateLimits {
  readonly #limiters: Partial<Record<Counted, RateLimiterMemory>> = {};

  constructor(changes: Config['rateLimits']) {
    if (changes === 'off') return;
    for (const name of Object.keys(DEFAULTS) as Counted[])
      this.#limiters[name] = new RateLimiterMemory({ points: changes[name] ?? DEFAULTS[name].most, duration: WINDOW });
  }

  /** Counts a request, says in its reply how many of the kind are left, and throws TOO_MANY_REQUESTS where none is. */
  async count(ctx: Context, name: Counted, key: string): Promise<void> {
    const limiter = this.#limiters[name];
    if (!limiter) return;
    const state = await limiter.consume(key).catch((refused: unknown) => {
      if (refused instanceof RateLimiterRes) return refused;
      throw refused;
    });
    const seconds = Math.ceil(state.msBeforeNext / 1_000);
    ctx.set('RateLimit-Limit', String(limiter.points));
    ctx.set('RateLimit-Remaining', String(state.remainingPoints));
    ctx.set('RateLimit-Reset', String(seconds));
    if (state.consumedPoints <= limiter.points) return;
    const sentence = `${limiter.points} ${DEFAULTS[name].what} a minute are allowed; try again in ${seconds} s.`;
    throw new AppError('TOO_MANY_REQUESTS', sentence, { retryAfter: seconds });
  }
}
