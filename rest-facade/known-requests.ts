import type { Context, Middleware } from 'koa';
import { LRUCache } from 'lru-cache';

type Answer = (ctx: Context) => Promise<void>;

interface KnownRequest {
  /** Path of the route, for metrics. */
  readonly path: string;
  readonly answer: Answer;
}

const MAX_REQUESTS = 1_000;
const MAX_URL_LENGTH = 300;

/**
 * Public requests that succeeded before, by URL. Their route and variables are known, and finding them again costs about
 * as much as sending a small cached response.
 */
export class KnownRequests {
  readonly #known = new LRUCache<string, KnownRequest>({ max: MAX_REQUESTS });

  add({ method, url }: Context, path: string, answer: Answer): void {
    if (method === 'GET' && url.length <= MAX_URL_LENGTH) this.#known.set(url, { path, answer });
  }

  /** Responds to known requests; passes on all other requests. */
  readonly answer: Middleware = (ctx, next) => {
    const known = ctx.method === 'GET' ? this.#known.get(ctx.url) : undefined;
    if (!known) return next();
    (ctx as { _matchedRoute?: string })._matchedRoute = known.path;
    return known.answer(ctx);
  };
}
