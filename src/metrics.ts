import type { Middleware } from 'koa';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  readonly measureRequests: Middleware;
}

/** Figures of this process for Prometheus: the usual ones of Node, and how long requests took. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'taproot_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the reply, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const measureRequests: Middleware = async (ctx, next) => {
    const startedAt = performance.now();
    try {
      await next();
    } finally {
      // The route, never the path: paths hold ids and are without number.
      const route = (ctx as { _matchedRoute?: unknown })._matchedRoute;
      const labels = { method: ctx.method, route: typeof route === 'string' ? route : 'other', status: ctx.status };
      duration.observe(labels, (performance.now() - startedAt) / 1_000);
    }
  };
  return { registry, measureRequests };
}
