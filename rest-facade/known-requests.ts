import type { Context, Middleware } from 'koa';
import { LRUCache } from 'lru-cache';
import { type CacheKeys, peekCached } from './read-cached.js';
import type { RepresentationCache } from './representation-cache.js';
import { type CachedRepresentation, sendCached } from './send-cached.js';

/**
 * Decides whether a request may receive a cached response. Returns the headers that the service adds to the response,
 * as alternating names and values. Returns undefined if the request must pass all middleware.
 */
export type AdmitCached = (ctx: Context) => readonly string[] | undefined | Promise<readonly string[] | undefined>;

interface KnownRequest {
  /** Path of the route, for metrics. */
  readonly path: string;
  readonly keys: CacheKeys;
}

const MAX_REQUESTS = 1_000;
const MAX_URL_LENGTH = 300;

/**
 * Public requests that succeeded before, by URL. A request with a cached response bypasses middleware, routing and the
 * reading of variables. These steps would take about as much time as sending a small response.
 */
export class KnownRequests {
  readonly #known = new LRUCache<string, KnownRequest>({ max: MAX_REQUESTS });

  constructor(
    private readonly admit: AdmitCached,
    private readonly cache: RepresentationCache | undefined,
  ) {}

  add(ctx: Context, keys: CacheKeys): void {
    const { method, url } = ctx;
    const { _matchedRoute: path } = ctx as { _matchedRoute?: string };
    if (method === 'GET' && url.length <= MAX_URL_LENGTH) this.#known.set(url, { path: path as string, keys });
  }

  readonly answer: Middleware = (ctx, next) => {
    const { method, url = '' } = ctx.req;
    const known = method === 'GET' && this.cache ? this.#known.get(url) : undefined;
    const cached = known && peekCached(ctx, this.cache as RepresentationCache, known.keys);
    if (!cached) return next();
    const admitted = this.admit(ctx);
    const send = (headers: readonly string[] | undefined): unknown => {
      if (!headers) return next();
      (ctx as { _matchedRoute?: string })._matchedRoute = known.path;
      return sendCached(ctx, cached as CachedRepresentation, headers);
    };
    return admitted instanceof Promise ? admitted.then(send) : send(admitted);
  };
}
