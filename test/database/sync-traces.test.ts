import { afterAll, expect, it } from 'vitest';
import { decodeId } from '../../src/kernel/ids.js';
import { startTracing } from '../../src/start-tracing.js';
import { type Loopback, listenOnLoopback } from '../support/servers/loopback.js';
import { inPages, onlyOnce, recordsOf, syncedTaps, waitError } from '../support/syncs/synced-taps.js';

interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status: { readonly code: number; readonly message?: string };
  readonly attributes: readonly { key: string; value: Record<string, unknown> }[];
}

interface Scope {
  readonly scope: { readonly name: string };
  readonly spans: readonly SentSpan[];
}

const syncs = await syncedTaps();
let collector: Loopback | undefined;
afterAll(() => collector?.close());

it('sends a span for each tap, step, slice and request of a sync to a collector, as one trace', async () => {
  const spans: SentSpan[] = [];
  const services: object[] = [];
  collector = await listenOnLoopback(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
      services.push(resource.attributes);
      // Ignores the spans of the job queue.
      const own = scopeSpans.filter(({ scope }: Scope) => scope.name === 'taproot');
      spans.push(...own.flatMap(({ spans }: Scope) => spans));
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const stopTracing = await startTracing({ endpoint: collector.origin, ratio: 1 });
  const connection = await syncs.createConnection({ users: {} });
  connection.vendor.users = inPages(() => recordsOf(1, 2), onlyOnce(waitError, 1));
  const job = await syncs.start(connection);
  await syncs.runSteps(connection);
  await stopTracing();

  expect(services).toContainEqual(expect.arrayContaining([{ key: 'service.name', value: { stringValue: 'taproot' } }]));
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([decodeId(job)?.replaceAll('-', '')]));
  const named = (name: string) => spans.filter((span) => span.name === name);
  const [tap] = named('sync.tap');
  const [steps, slices, requests] = [named('sync.step'), named('sync.slice'), named('GET')];
  expect([named('sync.tap').length, steps.length, slices.length, requests.length]).toEqual([1, 2, 2, 2]);
  expect(tap?.parentSpanId).toBeUndefined();
  for (const step of steps) expect(step.parentSpanId).toBe(tap?.spanId);
  expect(slices.map(({ parentSpanId }) => parentSpanId)).toEqual(steps.map(({ spanId }) => spanId));
  expect(requests.map(({ parentSpanId }) => parentSpanId)).toEqual(slices.map(({ spanId }) => spanId));
  expect(requests[0]?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 200 } });
});
