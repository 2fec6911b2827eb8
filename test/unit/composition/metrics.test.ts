import Koa from 'koa';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createMetrics, type Metrics } from '../../../src/http/metrics.js';
import { createMetricsApp } from '../../../src/http/metrics-app.js';
import { type Loopback, listenOnLoopback } from '../../support/servers/loopback.js';

let now = 0;
let metrics: Metrics;
let figures: Loopback;
let app: Loopback;

beforeAll(async () => {
  metrics = createMetrics(() => now);
  figures = await listenOnLoopback(createMetricsApp(metrics).callback());
  app = await listenOnLoopback(new Koa().use(metrics.measureRequests).callback());
});
afterAll(() => Promise.all([figures.close(), app.close(), metrics.close()]));

describe('GET /metrics', () => {
  it('renders at most once a second for any number of clients', async () => {
    const rendering = vi.spyOn(Registry.prototype, 'metrics');
    const scrape = () =>
      Promise.all(Array.from({ length: 50 }, async () => (await fetch(`${figures.origin}/metrics`)).text()));
    for (const at of [0, 999, 1_000, 1_500]) {
      now = at;
      expect(new Set(await scrape()).size).toBe(1);
    }
    expect(rendering).toHaveBeenCalledTimes(2);
    rendering.mockRestore();
  });

  it('is the only path of its listener', async () => {
    const response = await fetch(`${figures.origin}/healthz`);
    expect([response.status, response.headers.get('x-error-code')]).toEqual([404, 'NOT_FOUND']);
  });

  it('has no values of the queue of steps while the database is unavailable', async () => {
    let isAvailable = true;
    metrics.watchSyncs(async () => {
      if (!isAvailable) throw new Error('no database');
      return { due: 3, waiting: 2, running: 1, oldestDueSeconds: 12.5 };
    });
    const series = async () => {
      now += 1_000;
      const response = await fetch(`${figures.origin}/metrics`);
      return [response.status, (await response.text()).match(/^taproot_sync_steps.*$/gm)];
    };
    const [due, waiting, running] = ['due', 'waiting', 'running'].map(
      (state) => `taproot_sync_steps{state="${state}"}`,
    );
    const values = ['taproot_sync_steps_due_seconds 12.5', `${due} 3`, `${waiting} 2`, `${running} 1`];
    expect(await series()).toEqual([200, values]);
    isAvailable = false;
    expect(await series()).toEqual([200, null]);
  });

  it('uses one label for all unknown methods, and never a path', async () => {
    for (const method of ['PROPFIND', 'PURGE', 'REPORT', 'LOCK']) await fetch(`${app.origin}/of/${method}`, { method });
    await fetch(`${app.origin}/of/get`);
    now += 1_000;
    const text = await (await fetch(`${figures.origin}/metrics`)).text();
    const counts = text.match(/^taproot_http_request_duration_seconds_count.*$/gm);
    expect(counts).toEqual([
      'taproot_http_request_duration_seconds_count{method="other",route="other",status="404"} 4',
      'taproot_http_request_duration_seconds_count{method="GET",route="other",status="404"} 1',
    ]);
  });
});
