import type { Middleware } from 'koa';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { measureSyncs, type ReadStepQueue } from './sync-metrics.js';

export interface Metrics {
  readonly contentType: string;
  /** Returns text that is at most `CACHE_TTL_MS` old, so that a flood of requests causes one rendering per second. */
  readonly render: () => Promise<string>;
  readonly measureRequests: Middleware;
  readonly watchStreams: (count: () => number) => void;
  readonly countEvent: () => void;
  readonly watchSyncs: (readStepQueue: ReadStepQueue) => void;
  /** Stops the measurement of syncs. */
  readonly close: () => void;
}

const CACHE_TTL_MS = 1_000;

/**
 * For other methods, the label `method` is `other`. Node's parser accepts 35 methods, and each value of the label adds
 * time series.
 */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

export function createMetrics(now = () => performance.now()): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'taproot_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the response, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const measureRequests: Middleware = async (ctx, next) => {
    const startedAt = performance.now();
    try {
      await next();
    } finally {
      const method = METHODS.includes(ctx.method) ? ctx.method : 'other';
      // The label is the route and not the path, because the number of paths is unlimited.
      const route = (ctx as { _matchedRoute?: unknown })._matchedRoute;
      const labels = { method, route: typeof route === 'string' ? route : 'other', status: ctx.status };
      duration.observe(labels, (performance.now() - startedAt) / 1_000);
    }
  };
  const streamCounts: (() => number)[] = [];
  new Gauge({
    name: 'taproot_live_streams',
    help: 'Open streams of /graphql/stream.',
    registers: [registry],
    collect() {
      this.set(streamCounts.reduce((sum, count) => sum + count(), 0));
    },
  });
  const events = new Counter({
    name: 'taproot_live_events_total',
    help: 'Events sent by /graphql/stream.',
    registers: [registry],
  });
  const endings: (() => void)[] = [];
  const render = renderer(() => registry.metrics(), now);
  return {
    ...{ contentType: registry.contentType, render, measureRequests },
    watchStreams: (count) => streamCounts.push(count),
    countEvent: () => events.inc(),
    watchSyncs: (readStepQueue) => endings.push(measureSyncs(registry, readStepQueue)),
    close: () => endings.forEach((end) => void end()),
  };
}

function renderer(render: () => Promise<string>, now: () => number): () => Promise<string> {
  let text: Promise<string> | undefined;
  let renderedAt = 0;
  return () => {
    if (text && now() - renderedAt < CACHE_TTL_MS) return text;
    renderedAt = now();
    text = render();
    return text;
  };
}
